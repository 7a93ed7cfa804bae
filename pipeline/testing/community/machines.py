"""What machines say: three other bots, and the agent's answers to slash commands."""

from random import Random

from pipeline.testing.community.plan import OPEN_DAYS, local, place, rack
from pipeline.testing.community.teller import COMPONENTS, Teller
from pipeline.testing.community.town import EVERYBODY, GUILD_ID, Object, Person

WORKBENCH, RIVERSIDE, CORNER = place("workbench"), place("riverside"), place("bot-corner")


def bots(teller: Teller, rng: Random) -> None:
    """Three other bots: one speaks in embeds, one in components, one in plain words."""
    cock, ledger, bell = (EVERYBODY[k] for k in ("weathercock", "ledgerline", "bellringer"))
    for day in OPEN_DAYS:
        degrees, gauge = rng.randint(14, 29), 100 + rng.randint(4, 41)
        embed = {
            "type": "rich", "title": "Otterby today", "color": 3447003,
            "description": f"{degrees} °C, gauge {gauge / 100:.2f} m",
            "fields": [{"name": "wind", "value": rng.choice(("W 3", "SW 2", "E 4"))}],
        }  # fmt: skip
        teller.post(CORNER, cock, "", local(day, "06:00"), embeds=[embed])
        if day % 7 == 6:
            text = f"## The week\n{rack(day)} lanterns, {rng.randint(14, 31)} evenings of work"
            shown = {"type": 17, "components": [{"type": 10, "content": text}, {"type": 14}]}
            teller.post(
                CORNER, ledger, "", local(day, "21:00"), flags=COMPONENTS, components=[shown]
            )
        if day % 7 in {1, 3}:
            teller.post(WORKBENCH, bell, "🔔 long evening today, doors at half past six",
                        local(day, "17:30"))  # fmt: skip
    asked = teller.post(RIVERSIDE, EVERYBODY["sorrel"], "!weather", local(20, "18:05"))
    embed = {"type": "rich", "title": "Otterby now", "description": "19 °C, light rain"}
    teller.reply(asked, cock, "", local(20, "18:05") + 2, embeds=[embed])


COMMANDS = (
    ("rack", "{rack} on the rack, {few} drying, one owl."),
    ("gauge", "{gauge} at the weir. Boats may go."),
    ("borrowed", "Out tonight: the awl (Pell), the long ladder (nobody admits it)."),
    ("herons", "{few} this week, one of them twice."),
)


def commands(teller: Teller, rng: Random) -> None:
    """Twenty answers to slash commands: one by embed, one with a follow-up, one unfinished."""
    askers = ("pell", "wren", "bram", "ines", "otto", "sorrel")
    for number in range(20):
        day = OPEN_DAYS[2 + number * 2]
        at = local(day, "18:10") + rng.uniform(0, 600)
        asker, agent = EVERYBODY[askers[number % 6]], teller.agent_at(at)
        name, answer = COMMANDS[number % 4]
        text = answer.format(
            rack=rack(day), few=rng.randint(2, 9), gauge=f"1.{rng.randint(8, 41):02} m"
        )
        more: Object = {}
        if number == 8:
            more["embeds"] = [{"type": "rich", "title": "Rack", "description": text}]
            text = ""
        if number == 13:
            more["flags"], text = 1 << 7, ""  # a deferred answer that never came
        made = answer_command(teller, agent, asker, name, text, at, more)
        if number == 3:
            reference = {"type": 0, "guild_id": GUILD_ID, "channel_id": WORKBENCH}
            teller.post(
                WORKBENCH, agent, "And one more thing: the owl counts as two.", at + 6,
                webhook_id=agent.user_id, application_id=agent.user_id,
                message_reference={**reference, "message_id": made["id"]},
            )  # fmt: skip
        if number == 5:
            teller.reply(made, asker, "as always. thanks!", at + 30)


def answer_command(
    teller: Teller, agent: Person, asker: Person, name: str, text: str, at: float, more: Object
) -> Object:
    """Let the agent answer a slash command, as Discord shows it in a history."""
    interaction = teller.new_id(at - 1)
    metadata = {
        "id": interaction, "type": 2, "user": asker.user(), "name": name,
        "authorizing_integration_owners": {"0": GUILD_ID},
    }  # fmt: skip
    old = {"id": interaction, "type": 2, "name": name, "user": asker.user()}
    return teller.post(
        WORKBENCH, agent, text, at, type=20, webhook_id=agent.user_id,
        application_id=agent.user_id, interaction=old, interaction_metadata=metadata, **more,
    )  # fmt: skip
