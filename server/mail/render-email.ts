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
    ...paragraphs.map((paragraph) => `<p style="${styles.paragraph}" dir="auto">${escapeHtml(paragraph)}</p>`),
    ...(action
      ? [
          `<p style="${styles.paragraph}"><a href="${escapeHtml(action.url)}" style="${styles.action}">${escapeHtml(action.label)}</a></p>`,
        ]
      : []),
    ...(code ? [`<p style="${styles.paragraph}">Or enter this code: <strong>${escapeHtml(code)}</strong></p>`] : []),
  ].join('\n')
  const unsubscribe = unsubscribeUrl
    ? ` <a href="${escapeHtml(unsubscribeUrl)}" style="${styles.link}">Unsubscribe</a>`
    : ''
  // Tables, because Outlook knows no other columns. The mark is text: email programs block pictures until the reader allows them.
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title></head>
<body style="${styles.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${styles.page}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${styles.column}">
<tr><td style="${styles.name}"><span style="${styles.mark}" aria-hidden="true">${escapeHtml([...productName][0] ?? '')}</span>${escapeHtml(productName)}</td></tr>
<tr><td style="${styles.panel}">
${body}
</td></tr>
<tr><td style="${styles.closing}">${escapeHtml(closing)}${unsubscribe}</td></tr>
</table>
</td></tr></table>
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

const serif = "Georgia,'Times New Roman',serif"
const sans = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

/** The product's colors (web/ui/theme.ts). Email programs read only styles that are on the element. */
const styles = {
  page: 'margin:0;background:#faf7f2',
  column: 'max-width:520px;text-align:left',
  name: `padding:0 0 20px;font:600 22px/32px ${serif};color:#231e1a`,
  mark: `display:inline-block;width:32px;margin-right:10px;background:#b3123b;border-radius:8px;text-align:center;font:700 20px/32px ${serif};color:#faf7f2`,
  panel: `padding:28px 28px 12px;background:#fffdfa;border:1px solid #e6ddd1;border-radius:12px;font:16px/1.6 ${sans};color:#231e1a;overflow-wrap:anywhere`,
  paragraph: 'margin:0 0 16px',
  action:
    'display:inline-block;padding:12px 20px;background:#b3123b;color:#ffffff;text-decoration:none;border-radius:8px;font-weight:600',
  closing: `padding:20px 4px 0;font:14px/1.5 ${sans};color:#6b6158;overflow-wrap:anywhere`,
  link: 'color:#6b6158',
} as const
