import { escapeHtml } from '../escape-html.ts'
import type { OutboxMail } from './outbox.ts'

/** Pages for the developer at `/dev/outbox`: plain HTML, no script. All text of a message is escaped. */
export function outboxPage(mails: readonly OutboxMail[], smtp: boolean): string {
  const empty = smtp
    ? "SMTP_URL is set, so messages go out over SMTP and aren't kept here."
    : 'No messages yet. Messages the product would send by email appear here.'
  const rows = mails.map(
    ({ id, to, subject, sentAt }) =>
      `<li><a href="/dev/outbox/${escapeHtml(id)}"><strong>${escapeHtml(subject)}</strong></a><br>
<small>to ${escapeHtml(to)}, <time datetime="${escapeHtml(sentAt)}">${escapeHtml(readable(sentAt))}</time></small></li>`,
  )
  return page('Outbox', mails.length === 0 ? `<p>${empty}</p>` : `<ul>${rows.join('\n')}</ul>`)
}

export function mailPage({ to, subject, text, sentAt }: OutboxMail): string {
  return page(
    subject,
    `<p><small>to ${escapeHtml(to)}, <time datetime="${escapeHtml(sentAt)}">${escapeHtml(readable(sentAt))}</time></small></p>
<pre>${linkAddresses(text)}</pre>
<p><a href="/dev/outbox">Back to the outbox</a></p>`,
  )
}

export function missingPage(): string {
  return page('Message not found', '<p><a href="/dev/outbox">Back to the outbox</a></p>')
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>
body { margin: 0 auto; padding: 32px 20px; max-width: 640px; font: 16px/1.6 system-ui, sans-serif; color: #1f1a17; background: #fbf8f4 }
h1 { font: 600 28px/1.2 Georgia, serif }
a { color: #b3123b }
ul { padding: 0; list-style: none }
li { padding: 12px 0; border-top: 1px solid #e6ded6 }
small { color: #6b625c }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
</style></head>
<body>
<main><h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
}

/** Escapes the text first, then turns URLs into links, so that text can't become markup. */
function linkAddresses(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`)
}

function readable(isoTime: string): string {
  return `${isoTime.slice(0, 19).replace('T', ' ')} UTC`
}
