// Submit a form as a press of its button does. Safari before 16 has no `requestSubmit`.
export function submit(form, submitter = null) {
  if (form.requestSubmit) form.requestSubmit(submitter);
  else (submitter ?? form.querySelector("button:not([type=button])")).click();
}
