// Deciding from the page, where `lore view --serve` answers. Elsewhere the page only reads.

const SERVED = document.documentElement.hasAttribute("data-served");

/** Tells the base what a person decided, and shows the base as it is then. */
async function rule(entry, ruling, button) {
  if (button) button.disabled = true;
  try {
    const answer = await fetch("review", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ entry: entry.id, version: entry.version, ...ruling }) });
    const told = await answer.json();
    if (!answer.ok) throw new Error([told.error.message, ...(told.error.hints || [])].join(". "));
    const undo = told.reviewed[0].run ? [" Take it back with ", h("code", {}, "lore undo " + told.reviewed[0].run)] : "";
    toast([{ keep: "Kept.", reject: "Rejected.", settle: "Settled." }[ruling.ruling], undo]);
    await refresh(true);
  } catch (failed) {
    toast([failed instanceof TypeError ? "`lore view --serve` does not answer any more." : failed.message]);
    if (button) button.disabled = false;
    // What was decided upon may not be what is there.
    if (!(failed instanceof TypeError)) await refresh(true).catch(() => {});
  }
}

let version = null;

/** Fetches the base again; nothing is drawn where nothing changed. */
async function refresh(always) {
  const answer = await fetch("view.json", { headers: version && !always ? { "if-none-match": version } : {} });
  if (answer.status === 304 || !answer.ok) return;
  version = answer.headers.get("etag");
  take(await answer.json());
}

function askWhy(entry) {
  const dialog = $("ask");
  const why = h("input", { id: "why", name: "why", maxlength: "300", placeholder: "not worth keeping", autocomplete: "off" });
  show(dialog, h("form", { method: "dialog", onsubmit: (event) => {
    if (event.submitter && event.submitter.value === "yes") rule(entry, { ruling: "reject", why: why.value.trim() || "not worth keeping" });
  } },
  h("h2", { id: "ask-title" }, "Reject this entry?"), h("p", {}, entry.title), h("p", { klass: "count" }, "It is removed for good and does not come back by itself."),
  h("label", { for: "why" }, "Why? Others will read it."), why,
  h("div", { klass: "actions" }, h("button", { klass: "act danger", value: "yes", id: "reject-yes" }, "Reject"), h("button", { klass: "act", value: "no", formnovalidate: true }, "Leave it"))));
  dialog.showModal();
  why.focus();
}
