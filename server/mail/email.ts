import { escapeHtml } from '../escape-html.ts'
import type { Mail } from './mail.ts'

export type Email = {
  readonly to: string
  readonly subject: string
  /** Plain text; each becomes a paragraph. */
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  /** A code to type instead of following the link. */
  readonly code?: string
  /** The fine print at the end: why the email was sent, and what to do if it was unexpected. */
  readonly closing: string
  /** Where the recipient can unsubscribe without signing in. */
  readonly unsubscribeUrl?: string
  readonly productName: string
}

/** Renders one email in both forms. The text form says everything the HTML form says. */
export function renderEmail({
  to,
  subject,
  paragraphs,
  action,
  code,
  closing,
  unsubscribeUrl,
  productName,
}: Email): Mail {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(code ? [`Or enter this code: ${code}`] : []),
    closing,
    ...(unsubscribeUrl ? [`Unsubscribe: ${unsubscribeUrl}`] : []),
    productName,
  ].join('\n\n')
  const body = [
    ...paragraphs.map((paragraph) => `<p style="${styles.paragraph}">${escapeHtml(paragraph)}</p>`),
    ...(action
      ? [`<p><a href="${escapeHtml(action.url)}" style="${styles.action}">${escapeHtml(action.label)}</a></p>`]
      : []),
    ...(code ? [`<p style="${styles.paragraph}">Or enter this code: <strong>${escapeHtml(code)}</strong></p>`] : []),
    `<p style="${styles.closing}">${escapeHtml(closing)}${unsubscribeUrl ? ` <a href="${escapeHtml(unsubscribeUrl)}" style="color:inherit">Unsubscribe</a>` : ''}</p>`,
  ].join('\n')
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="${styles.page}">
<p style="${styles.name}">${escapeHtml(productName)}</p>
${body}
</body>
</html>
`
  return {
    to,
    subject,
    text: `${text}\n`,
    html,
    ...(unsubscribeUrl && { headers: unsubscribeHeaders(unsubscribeUrl) }),
  }
}

/** The headers from which mail programs build their own button (RFC 2369) that unsubscribes with one click (RFC 8058). */
function unsubscribeHeaders(url: string): Readonly<Record<string, string>> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

const styles = {
  page: 'margin:0 auto;padding:32px 24px;max-width:480px;background:#fbf8f4;color:#1f1a17;font:16px/1.6 system-ui,sans-serif',
  name: "font:600 22px/1.2 Georgia,'Times New Roman',serif;margin:0 0 24px",
  paragraph: 'margin:0 0 16px',
  action:
    'display:inline-block;padding:12px 20px;background:#b3123b;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600',
  closing: 'margin:24px 0 0;color:#6b625c;font-size:14px',
} as const
