// Keys, a draft of the edit form that outlives a reload, and form buttons without a page load.
// The page works without this script; nothing here decides anything.
"use strict";

(() => {
  const DRAFT = "orders-review-draft:";
  const OWN_FIELDS = ["token", "last_act", "produced", "do"]; // of the page, not of the person
  const byId = (id) => document.getElementById(id);
  let lastKey = "";

  const storage = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* a private window: no drafts */ } },
    remove(key) { try { localStorage.removeItem(key); } catch { /* as above */ } },
  };

  // ---- keys

  const KEYS = { a: "accept", r: "reject", e: "edit", j: "next", k: "previous", u: "undo" };

  document.addEventListener("keydown", (event) => {
    lastKey = event.key;
    const form = byId("edit-form");
    if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(byId("save"));
      return;
    }
    if (event.key === "Escape") {
      byId("keys")?.removeAttribute("open");
      document.activeElement?.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest?.("input, select, textarea, [contenteditable]")) return;
    if (event.key === "?") {
      byId("keys")?.toggleAttribute("open");
      event.preventDefault();
      return;
    }
    const target = byId(KEYS[event.key.toLowerCase()] ?? "");
    if (target && !form) {
      event.preventDefault();
      target.click();
    }
  });

  // A click into the mail's frame takes the keyboard there, and no key would reach us any more. Tab may go in.
  window.addEventListener("blur", () => setTimeout(() => {
    if (document.activeElement?.tagName === "IFRAME" && lastKey !== "Tab") {
      document.activeElement.blur();
      window.focus();
    }
  }));
  document.addEventListener("pointerdown", (event) => {
    lastKey = "";
    if (!event.target.closest?.("#keys")) byId("keys")?.removeAttribute("open");
  });

  // One press, one decision.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    setTimeout(() => { delete form.dataset.sent; }, 5000);
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });

  // ---- where one is

  const show = (element) => element?.scrollIntoView({ block: "nearest" });
  show(document.querySelector("aside.queue [aria-current]"));
  for (const list of document.querySelectorAll("form.filter select")) {
    list.addEventListener("change", () => list.form.requestSubmit());
  }

  // ---- the edit form's draft

  const done = new URLSearchParams(location.search).get("done");
  if (done) storage.remove(DRAFT + done); // saved

  const written = (form) => {
    const data = new URLSearchParams(new FormData(form));
    for (const name of OWN_FIELDS) data.delete(name);
    return data.toString();
  };

  const keep = (form) => storage.set(DRAFT + form.dataset.case, written(form));

  async function redraw(form, body) {
    const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("edit-form");
    if (!fresh) return null;
    const top = form.querySelector(".scroll").scrollTop;
    form.replaceWith(document.adoptNode(fresh));
    fresh.querySelector(".scroll").scrollTop = top;
    attend(fresh);
    return fresh;
  }

  function attend(form) {
    form.addEventListener("input", () => keep(form));
    form.addEventListener("click", async (event) => {
      const button = event.target.closest("button[name=do]");
      if (!button) return;
      event.preventDefault();
      const body = new URLSearchParams(new FormData(form));
      body.set("do", button.value);
      const fresh = await redraw(form, body).catch(() => null);
      if (!fresh) { button.form?.requestSubmit(button); return; }
      keep(fresh);
    });
    byId("discard").addEventListener("click", () => {
      storage.remove(DRAFT + form.dataset.case);
      location.replace(location.href);
    });
    byId("cancel").addEventListener("click", () => storage.remove(DRAFT + form.dataset.case));
  }

  async function restore(form) {
    const draft = storage.get(DRAFT + form.dataset.case);
    if (!draft || draft === written(form) || form.querySelector(".problem")) return;
    const body = new URLSearchParams(draft);
    for (const name of ["token", "last_act", "produced"]) body.set(name, form.elements[name].value);
    body.set("do", "redraw");
    const fresh = await redraw(form, body).catch(() => null);
    fresh?.querySelector(".draft")?.removeAttribute("hidden");
  }

  const form = byId("edit-form");
  if (form) {
    attend(form);
    restore(form);
  }
})();
