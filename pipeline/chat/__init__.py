"""What talk is: text, wire format, redaction, people."""
