// A level, game or score file dropped on any page is opened, as the form at /open/ does it.
"use strict";
{
  const { open, drop } = document.currentScript.dataset;
  let depth = 0;

  function isForUs(event) {
    const isFile = event.dataTransfer?.types.includes("Files");
    // A place that takes files itself goes first.
    return isFile && !event.target.closest?.('input[type="file"]');
  }

  function show(isOver) {
    document.body.classList.toggle("file-over", isOver);
    document.body.dataset.drop = drop;
  }

  function input(form, name, type) {
    const made = document.createElement("input");
    Object.assign(made, { name, type, hidden: true });
    form.append(made);
    return made;
  }

  function send(files) {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: open, enctype: "multipart/form-data" });
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    input(form, "csrfmiddlewaretoken", "hidden").value = token;
    input(form, "document", "file").files = files;
    document.body.append(form);
    form.submit();
  }

  document.addEventListener("dragenter", (event) => {
    if (!isForUs(event)) return;
    depth += 1;
    show(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!isForUs(event)) return;
    depth = Math.max(0, depth - 1);
    if (!depth) show(false);
  });
  document.addEventListener("dragover", (event) => {
    if (isForUs(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    depth = 0;
    show(false);
    if (!isForUs(event) || event.dataTransfer.files.length !== 1) return;
    event.preventDefault();
    send(event.dataTransfer.files);
  });
}
