"use strict";
const $ = (id) => document.getElementById(id);
const MOST = 200, DAY = 86400000;
let D, byId, view, all, chosen = null, context = null, shown = new Set(), rowsOf = [], flagged, days;

const make = (tag, text, extra) => Object.assign(document.createElement(tag), { textContent: text ?? "" }, extra);
const when = (ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
const count = (n) => n.toLocaleString("en");

async function open() {
  const bytes = Uint8Array.from(atob($("data").textContent), (c) => c.charCodeAt(0));
  $("data").remove();
  const flow = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  D = JSON.parse(await new Response(flow).text());
  byId = new Map(D.memories.map((m) => [m.id, m]));
  flagged = new Map();
  for (const f of D.findings) flagged.set(f.subject, [...(flagged.get(f.subject) ?? []), f]);
  days = new Map();
  let low = Infinity, high = -Infinity;
  D.t.forEach((t, i) => {
    if (t < low) low = t;
    if (t > high) high = t;
    if (!D.notice[i]) { const d = Math.floor(t / DAY); days.set(d, (days.get(d) ?? 0) + 1); }
  });
  all = D.t.length ? [low, Math.max(high, low + 60000)] : [0, DAY];
  for (const m of D.memories) describe(m);
  $("title").textContent = `${D.agent}: ${count(D.t.length)} items, ${count(D.memories.length)} memories`;
  fill("room", "all rooms", D.rooms);
  fill("person", "all people", D.people.map((p) => p || "(notices)"));
  const levels = [...new Set(D.memories.map((m) => m.level))].sort((a, b) => a - b);
  fill("level", "all levels", levels.map((l) => `L${l}`), levels);
  const rules = [...new Set(D.findings.map((f) => f.rule))].sort();
  fill("finding", "any finding", rules, rules);
  fill("budget", "next context …", D.contexts.map((c, i) => `${i ? "what if " : "now: "}${count(c.budget)} tokens`));
  home();
  size();
  look();
  document.body.dataset.ready = "yes";
}

function describe(m) {
  const votes = new Map();
  m.people_at = new Set();
  for (let i = m.first; i <= m.last; i++) {
    votes.set(D.r[i], (votes.get(D.r[i]) ?? 0) + 1);
    m.people_at.add(D.p[i]);
  }
  m.rooms_at = votes;
  m.main = [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  m.from = D.t[m.first];
  m.to = Math.max(D.t[m.last], m.from);
  m.low = (m.headline + "\n" + m.text).toLowerCase();
}

function fill(id, first, names, values) {
  $(id).append(new Option(first, ""), ...names.map((n, i) => new Option(n, values ? values[i] : i)));
}

// -- list and search ---------------------------------------------------------------------------

function look() {
  const words = $("query").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [room, person, level, finding] = ["room", "person", "level", "finding"].map((id) => $(id).value);
  const fits = (m) => (room === "" || m.rooms_at.has(+room)) && (person === "" || m.people_at.has(+person))
    && (level === "" || m.level === +level)
    && (finding === "" || (flagged.get(m.id) ?? []).some((f) => f.rule === finding));
  const memories = D.memories.filter((m) => fits(m) && words.every((w) => m.low.includes(w)));
  const items = [];
  if (words.length && level === "" && finding === "") {
    for (let i = D.x.length - 1; i >= 0; i--) {
      if ((room === "" || D.r[i] === +room) && (person === "" || D.p[i] === +person)) {
        const low = D.x[i].toLowerCase();
        if (words.every((w) => low.includes(w))) items.push(i);
      }
    }
  }
  shown = new Set(memories.map((m) => m.id));
  $("count").textContent = `${count(memories.length)} memories` + (words.length ? `, ${count(items.length)} messages` : "");
  $("list").replaceChildren(
    ...memories.slice(0, MOST).map((m) => entry(m.headline, `${m.id} · ${when(m.from)} · ${D.rooms[m.main] ?? ""}`, () => pick(m.id), m.id)),
    ...items.slice(0, MOST).map((i) => entry(D.x[i].slice(0, 240), `message · ${when(D.t[i])} · ${D.rooms[D.r[i]]}`, () => around(i))));
  draw();
}

function entry(text, below, act, id) {
  const b = make("button", text, { onclick: act });
  if (id) b.dataset.id = id;
  b.append(make("small", below));
  return b;
}

// -- what is selected --------------------------------------------------------------------------

function link(id) {
  const m = byId.get(id);
  return make("button", m ? `${id}: ${m.headline.slice(0, 60)}` : id, { onclick: () => pick(id) });
}

function pick(id) {
  const m = byId.get(id);
  if (!m) return;
  chosen = id;
  for (const b of $("list").children) b.toggleAttribute("aria-current", b.dataset.id === id);
  const rooms = [...m.rooms_at].sort((a, b) => b[1] - a[1]).map(([r, n]) => `${D.rooms[r]} (${count(n)})`).join(", ");
  const people = [...m.people_at].map((p) => D.people[p]).filter(Boolean).join(", ");
  const box = $("detail");
  box.replaceChildren(
    make("small", `${id} · ${when(m.from)} to ${when(m.to)} (${D.zone}) · ${count(m.last - m.first + 1)} items · ${count(m.tokens)} tokens`),
    make("h2", m.headline), make("small", `rooms: ${rooms}`), make("small", `people: ${people}`), make("p", m.text));
  const findings = flagged.get(id) ?? [];
  if (findings.length) box.append(make("h3", "findings"), ...findings.map((f) => make("p", `${f.severity}: ${f.rule}: ${f.message}`)));
  if (m.parent) box.append(make("h3", "inside"), link(m.parent));
  if (m.children.length) box.append(make("h3", "merges"), ...m.children.map(link));
  m.older.forEach((text, i) => box.append(make("h3", `revision ${i + 1}, replaced`), make("p", text)));
  box.append(make("h3", "messages under it"));
  messages(box, m.first, m.last);
  box.scrollTop = 0;
  if (m.to < view[0] || m.from > view[1]) move((m.from + m.to) / 2 - (view[0] + view[1]) / 2);
  draw();
}

function messages(box, first, last) {
  const more = make("button", "");
  let next = first;
  const add = () => {
    const end = Math.min(last + 1, next + MOST);
    for (; next < end; next++) said(more, next);
    more.textContent = `show ${count(last + 1 - next)} more`;
    more.hidden = next > last;
  };
  more.textContent = `show ${count(last - first + 1)} items as the agent saw them`;
  more.id = "drill";
  more.onclick = add;
  box.append(more);
}

function said(before, i) {
  const row = make("div", D.x[i], { className: "said" });
  row.prepend(make("small", `${when(D.t[i])} · ${D.rooms[D.r[i]]} · ${D.people[D.p[i]]}`));
  before.before(row);
}

function around(i) {
  const over = D.memories.filter((m) => m.first <= i && i <= m.last).sort((a, b) => a.level - b.level);
  const end = make("span");
  $("detail").replaceChildren(make("h2", `message of ${when(D.t[i])}`), make("h3", over.length ? "memories over it" : "in no memory yet"),
    ...over.map((m) => link(m.id)), make("h3", "around it"), end);
  for (let j = Math.max(0, i - 8); j <= Math.min(D.x.length - 1, i + 8); j++) said(end, j);
}

function floor() {
  if (!context.floor) return [];
  const [all, head, roots, rootTokens, open, openTokens, tail] = context.floor.map(count);
  const room = `${count(Math.abs(context.room))} tokens ${context.room >= 0 ? "below" : "ABOVE"} the line at which the host refuses`;
  return [
    make("p", `Folded as far as it goes: ${all} tokens (head ${head}, ${roots} memories ${rootTokens}, ${open} items in no memory ${openTokens}, tail ${tail}), ${room}.`),
    make("p", `Warning: an agent that lowers its own budget below ${count(D.lowest)} falls silent, and cannot even raise it again.`)];
}

function wake() {
  context = $("budget").value === "" ? null : D.contexts[+$("budget").value];
  if (context) {
    const table = make("table");
    const head = make("tr");
    head.append(...["segment", "items", "tokens", "from", "to"].map((t) => make("th", t)));
    table.append(head);
    for (const [kind, tokens, items, first, last, id] of context.segments) {
      const row = make("tr"), cell = make("td");
      cell.append(id ? make("button", `recall ${id}`, { onclick: () => pick(id) }) : make("span", kind));
      row.append(cell, make("td", count(items), { className: "n" }), make("td", count(tokens), { className: "n" }), make("td", when(D.t[first])), make("td", when(D.t[last])));
      table.append(row);
    }
    const verdict = context.refusal ? `the host would NOT answer (${context.refusal})` : "the host would answer";
    $("detail").replaceChildren(make("h2", `Next context at ${count(context.budget)}: ${count(context.tokens)} tokens`), make("p", verdict), ...floor(), table);
  }
  draw();
}

// -- timeline ----------------------------------------------------------------------------------

const canvas = $("time"), pen = canvas.getContext("2d");
const wide = () => canvas.clientWidth, tall = () => canvas.clientHeight;
const at = (ms) => ((ms - view[0]) / (view[1] - view[0])) * wide();

function size() {
  const dense = window.devicePixelRatio || 1;
  canvas.width = wide() * dense;
  canvas.height = tall() * dense;
  pen.setTransform(dense, 0, 0, dense, 0, 0);
}

function draw() {
  const style = getComputedStyle(document.documentElement), tone = (n) => style.getPropertyValue(n);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const top = Math.max(1, ...D.memories.map((m) => m.level)), bars = 60, foot = 18;
  const row = Math.min(64, (tall() - bars - foot - 8) / top), base = tall() - bars - foot;
  pen.clearRect(0, 0, wide(), tall());
  pen.font = "12px system-ui, sans-serif";
  const end = Math.max(all[0], ...D.memories.map((m) => m.to));
  hatch(at(D.memories.length ? end : all[0]), at(all[1]), base - row, row - 4, tone("--line"));
  const woken = new Set(context ? context.segments.map((s) => s[5]) : []);
  rowsOf = [];
  for (const m of D.memories) {
    const x = at(m.from), w = Math.max(2, at(m.to) - x - 1), y = base - m.level * row;
    if (x + w < 0 || x > wide()) continue;
    rowsOf.push([x, y, w, row - 4, m.id]);
    pen.globalAlpha = shown.has(m.id) ? 1 : 0.18;
    pen.fillStyle = `hsl(${(m.main * 137 + 205) % 360} ${dark ? "38% 42%" : "48% 72%"})`;
    pen.fillRect(x, y, w, row - 4);
    const mark = m.id === chosen ? tone("--mark") : woken.has(m.id) ? tone("--ink") : flagged.has(m.id) ? tone("--dim") : "";
    if (mark) { pen.strokeStyle = mark; pen.lineWidth = m.id === chosen ? 3 : 1.5; pen.strokeRect(x + 1, y + 1, Math.max(1, w - 2), row - 6); }
    if (w > 60 && row > 20) label(m, Math.max(x, 30), y, x + w, tone("--ink"));
    pen.globalAlpha = 1;
  }
  for (let l = 1; l <= top; l++) {
    pen.fillStyle = tone("--card");
    pen.fillRect(0, base - l * row, 26, row - 4);
    pen.fillStyle = tone("--dim");
    pen.fillText(`L${l}`, 6, base - l * row + row / 2 + 2);
  }
  const most = Math.max(1, ...days.values());
  for (const [d, n] of days) {
    const x = at(d * DAY), w = Math.max(1, at((d + 1) * DAY) - x - 1), h = (n / most) * (bars - 8);
    if (x + w > 0 && x < wide()) pen.fillRect(x, tall() - foot - h, w, h);
  }
  for (const [kind, , , first, last, id] of context ? context.segments : []) {
    if (id) continue;
    const x = at(D.t[first]), w = Math.max(3, at(D.t[last]) - x);
    pen.strokeStyle = tone("--ink");
    pen.lineWidth = 1.5;
    pen.strokeRect(x, tall() - foot - bars + 4, w, bars - 4);
    if (w > 36) pen.fillText(kind, x + 4, tall() - foot - bars + 16);
  }
  for (let x = 0, step = Math.max(130, wide() / 8); x < wide(); x += step) {
    const ms = view[0] + (x / wide()) * (view[1] - view[0]);
    pen.fillText(when(ms).slice(0, view[1] - view[0] > 20 * DAY ? 10 : 16), x + 6, tall() - 5);
  }
}

function label(m, x, y, right, ink) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, right - x - 6, 40);
  pen.clip();
  pen.fillStyle = ink;
  pen.fillText(m.headline, x + 6, y + 16);
  pen.restore();
}

function hatch(from, to, y, h, ink) {
  if (to <= from) return;
  pen.save();
  pen.beginPath();
  pen.rect(from, y, to - from, h);
  pen.clip();
  pen.strokeStyle = ink;
  for (let x = Math.max(from, -h) - h; x < Math.min(to, wide()); x += 7) { pen.beginPath(); pen.moveTo(x, y + h); pen.lineTo(x + h, y); pen.stroke(); }
  pen.restore();
}

function home() { view = [all[0] - (all[1] - all[0]) * (34 / wide()), all[1]]; }

function move(ms) { view = [view[0] + ms, view[1] + ms]; draw(); }

function zoom(by, x = wide() / 2) {
  const mid = view[0] + (x / wide()) * (view[1] - view[0]);
  const span = Math.min((all[1] - all[0]) * 1.2, Math.max(300000, (view[1] - view[0]) * by));
  view = [mid - (x / wide()) * span, mid + (1 - x / wide()) * span];
  draw();
}

const fingers = new Map();
let moved = 0;
canvas.onpointerdown = (e) => { fingers.set(e.pointerId, e.offsetX); if (fingers.size === 1) moved = 0; canvas.setPointerCapture(e.pointerId); };
canvas.onpointermove = (e) => {
  if (!fingers.has(e.pointerId)) return;
  const before = [...fingers.values()], was = fingers.get(e.pointerId);
  fingers.set(e.pointerId, e.offsetX);
  moved += Math.abs(e.offsetX - was);
  if (fingers.size === 2) {
    const now = [...fingers.values()];
    zoom(Math.max(10, Math.abs(before[0] - before[1])) / Math.max(10, Math.abs(now[0] - now[1])), (now[0] + now[1]) / 2);
  } else if (moved > 4) move(((was - e.offsetX) / wide()) * (view[1] - view[0]));
};
canvas.onpointerup = canvas.onpointercancel = (e) => {
  fingers.delete(e.pointerId);
  if (e.type === "pointercancel" || moved > 4) return;
  const hit = rowsOf.find(([x, y, w, h]) => e.offsetX >= x - 1 && e.offsetX <= x + w + 1 && e.offsetY >= y && e.offsetY <= y + h);
  if (hit) pick(hit[4]);
};
canvas.addEventListener("wheel", (e) => {
  e.preventDefault();
  if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) move((e.deltaX / wide()) * (view[1] - view[0]));
  else zoom(e.deltaY > 0 ? 1.2 : 1 / 1.2, e.offsetX);
}, { passive: false });

function step(by, up) {
  const here = byId.get(chosen);
  if (!here) return D.memories.length && pick(D.memories[0].id);
  if (up) return pick(by > 0 ? here.parent : here.children[0]);
  const row = D.memories.filter((m) => m.level === here.level).sort((a, b) => a.first - b.first);
  const next = row[row.indexOf(here) + by];
  if (next) pick(next.id);
}
canvas.onkeydown = (e) => {
  const act = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(1, true), ArrowDown: () => step(-1, true),
    "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1.6), Home: () => { home(); draw(); }, Enter: () => $("drill")?.click() }[e.key];
  if (act) { e.preventDefault(); act(); }
};
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) { e.preventDefault(); $("query").focus(); }
});
let soon;
$("query").oninput = () => { clearTimeout(soon); soon = setTimeout(look, 80); };
for (const id of ["room", "person", "level", "finding"]) $(id).onchange = look;
$("budget").onchange = wake;
window.onresize = () => { size(); draw(); };
matchMedia("(prefers-color-scheme: dark)").onchange = draw;
open();
