import { readFileSync } from 'node:fs'
import { ConfigError, type EnvironmentReader } from '../../environment-reader.ts'
import { escapeHtml } from '../../escape-html.ts'
import type { Mail } from '../../mail/mail.ts'

/** GoTrue's names of the emails that an operator may customize. */
const mailKinds = ['confirmation', 'invite', 'recovery', 'magic_link', 'email_change', 'reauthentication'] as const
export type MailKind = (typeof mailKinds)[number]

/** The variables of GoTrue's templates, so that an operator's existing ones keep working. */
export type TemplateValues = Readonly<
  Record<'ConfirmationURL' | 'Token' | 'TokenHash' | 'SiteURL' | 'Email' | 'NewEmail', string>
>

export type MailTemplates = ReadonlyMap<
  MailKind,
  { readonly subject: string | undefined; readonly html: string | undefined }
>

/** `AUTH_MAILER_SUBJECTS_<KIND>` and `AUTH_MAILER_TEMPLATES_<KIND>`, the path of an HTML file. */
export function readMailTemplates(read: EnvironmentReader): MailTemplates {
  return new Map(
    mailKinds.flatMap((kind) => {
      const subject = read.optional(`AUTH_MAILER_SUBJECTS_${kind.toUpperCase()}`)
      const file = read.optional(`AUTH_MAILER_TEMPLATES_${kind.toUpperCase()}`)
      if (!subject && !file) return []
      return [
        [kind, { subject, html: file && readTemplate(`AUTH_MAILER_TEMPLATES_${kind.toUpperCase()}`, file) }] as const,
      ]
    }),
  )
}

function readTemplate(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(`${name} must be the path of a file that can be read, not "${file}".`)
  }
}

/** The email from the operator's template. The text form stays ours: it says the same, and needs no template. */
export function applyTemplate(templates: MailTemplates, kind: MailKind, values: TemplateValues, mail: Mail): Mail {
  const { subject, html } = templates.get(kind) ?? {}
  return {
    ...mail,
    ...(subject && { subject: fill(subject, values, (text) => text) }),
    ...(html && { html: fill(html, values, escapeHtml) }),
  }
}

/** `{{ .Token }}`: unknown names are left empty, as in GoTrue. */
function fill(template: string, values: TemplateValues, quote: (text: string) => string): string {
  return template.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (_match, name: string) =>
    quote(Object.hasOwn(values, name) ? values[name as keyof TemplateValues] : ''),
  )
}
