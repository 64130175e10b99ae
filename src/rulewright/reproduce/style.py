"""How the page looks: light, narrow enough to read, and the same on paper."""

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --soft: #5c6670; --line: #d5dae0; --own: #0b5394; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: #fff; color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 0 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
a { color: var(--own); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
section { border-top: 1px solid var(--line); padding: 1.5rem 0; }
.paper, .note, .made, figcaption { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--ink); white-space: nowrap; }
tbody th { font-weight: 600; padding-top: .9rem; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85em; }
.short { white-space: nowrap; }
td code { display: inline-block; min-width: 18rem; }
pre { overflow-x: auto; background: #f6f7f9; padding: .8rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
figure { margin: .5rem 0; max-width: 100%; }
figure img { max-width: 100%; max-height: 28rem; height: auto; }
.missing { background: #fff8e6; padding: 1rem; }
summary { cursor: pointer; }
@media print { nav, details { display: none; } section { break-inside: auto; } tr, figure { break-inside: avoid; }
  .wide { overflow: visible; } body { max-width: none; font-size: 10pt; } }
""".strip()
