// What pages gain where scripts run: completion while typing, search while typing, and slow parts loaded afterwards.
// Every page works without it.
"use strict";

const PAUSE = 120; // milliseconds without a key before anything is asked

function later(work) {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(...given), PAUSE);
  };
}

// A text field with suggestions, after the ARIA pattern of an editable combobox with list completion.
function combobox(input) {
  const list = document.createElement("ul");
  list.id = `${input.id}-options`;
  list.className = "options";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.labels[0].textContent);
  list.hidden = true;
  const status = document.createElement("p");
  status.className = "hidden";
  status.setAttribute("role", "status");
  // A name that is too long for an address, or that is shown shortened, is sent as its number.
  const number = document.createElement("input");
  number.type = "hidden";
  number.name = `${input.name}_id`;
  number.disabled = true;
  input.after(list, status, number);
  const attributes = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  let active = -1;
  let request;

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(place) {
    const options = list.children;
    if (!options.length) return;
    active = (place + options.length) % options.length;
    for (const [at, option] of [...options].entries()) option.setAttribute("aria-selected", String(at === active));
    input.setAttribute("aria-activedescendant", options[active].id);
    options[active].scrollIntoView({ block: "nearest" });
  }

  function bind(value) {
    number.value = value;
    number.disabled = value === "";
    input.name = value === "" ? number.name.slice(0, -3) : "";
  }

  function choose(option) {
    input.value = option.dataset.shown;
    bind(option.dataset.number);
    close();
  }

  function show(found) {
    const options = found.map((entry, at) => {
      const option = document.createElement("li");
      option.id = `${list.id}-${at}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.shown = entry.shown;
      option.dataset.number = entry.plain ? "" : entry.number;
      const name = document.createElement("bdi");
      name.textContent = entry.shown;
      option.append(name);
      option.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        choose(option);
      });
      return option;
    });
    list.replaceChildren(...options);
    active = -1;
    list.hidden = !options.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
    status.textContent = options.length ? `${options.length} suggestions` : "no such name";
  }

  const ask = later(async () => {
    request?.abort();
    request = new AbortController();
    const asked = new URLSearchParams({ of: input.dataset.names, part: input.value.slice(0, 200) });
    try {
      const answer = await fetch(`/names.json?${asked}`, { signal: request.signal });
      if (answer.ok && document.activeElement === input) show((await answer.json()).names);
    } catch (problem) {
      if (problem.name !== "AbortError") close();
    }
  });

  input.addEventListener("input", () => {
    bind("");
    ask();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) ask();
      else if (event.key === "ArrowDown") mark(active + 1);
      else mark(active < 0 ? -1 : active - 1);
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      choose(list.children[active]);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  if (input.dataset.number) bind(input.dataset.number);
}

// A form whose results change while one types; the address changes with them, so that it can be shared.
function live(form) {
  const place = document.getElementById(form.dataset.live);
  let request;
  const renew = later(async () => {
    const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    const address = `${form.getAttribute("action")}?${asked}`;
    request?.abort();
    request = new AbortController();
    try {
      const answer = await fetch(address, { signal: request.signal });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...page.getElementById(place.id).childNodes);
      history.replaceState(null, "", address);
    } catch (problem) {
      if (problem.name !== "AbortError") form.submit();
    }
  });
  form.addEventListener("input", renew);
}

// A part of the page that takes long: loaded when its button is pressed, and put where the button was.
function lazy(section) {
  const button = section.querySelector("a");
  button.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    section.setAttribute("aria-busy", "true");
    button.textContent = "Searching…";
    try {
      const answer = await fetch(section.dataset.lazy);
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("result");
      found.tabIndex = -1;
      button.parentElement.replaceWith(found);
      found.focus();
    } catch {
      location.href = section.dataset.lazy;
    }
    section.removeAttribute("aria-busy");
  });
}

document.querySelectorAll("[data-names]").forEach(combobox);
document.querySelectorAll("form[data-live]").forEach(live);
document.querySelectorAll("[data-lazy]").forEach(lazy);
