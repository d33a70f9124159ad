import type { DemoLogin } from './demo/seed.ts'
import type { Gateway } from './gateway.ts'

type StartMessage = {
  readonly gateway: Gateway
  readonly logins: readonly DemoLogin[] | undefined
  readonly startedInMs: number
  /** Whether the demo's past is still to be added. */
  readonly isFilling: boolean
}

/** The message after `npm start`: the site's address and the logins. */
export function announce({ gateway, logins, startedInMs, isFilling }: StartMessage) {
  const { config, siteUrl, sandboxUrl } = gateway.services
  const lines = [
    '',
    `  ${config.operator.productName} is ready in ${(startedInMs / 1000).toFixed(1)} s`,
    '',
    `  ${siteUrl()}`,
    '',
  ]
  if (logins) {
    const width = Math.max(...logins.map(({ email }) => email.length))
    lines.push('  Demo logins')
    for (const { role, email, password } of logins)
      lines.push(`    ${role.padEnd(8)} ${email.padEnd(width)}  ${password}`)
    if (isFilling)
      lines.push('', "  The demo's past is added in the background: comments, inboxes, and a year of payments.")
    lines.push('')
  }
  if (sandboxUrl) lines.push('  Payments run in the sandbox: pay with card 4242 4242 4242 4242.')
  if (!config.smtpUrl && config.environment !== 'production') lines.push(`  Emails are kept at ${siteUrl()}/dev/outbox`)
  lines.push(`  Data is stored in ${config.dataDir}`, '')
  process.stdout.write(`${lines.join('\n')}\n`)
}
