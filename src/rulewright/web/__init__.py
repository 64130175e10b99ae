"""The explorer: a run in the browser. Pages are plain data first; HTML and JSON are thin skins over it."""
