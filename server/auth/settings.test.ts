import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from '../config.ts'

describe('the settings of auth/v1', () => {
  it('are in docs/configuration.md, all of them and no others', () => {
    const read = new Set<string>()
    const env = {
      AUTH_SECURITY_CAPTCHA_ENABLED: '1',
      AUTH_SECURITY_CAPTCHA_SECRET: 'x',
      AUTH_EXTERNAL_NAME_CLIENT_ID: 'x',
      AUTH_EXTERNAL_NAME_SECRET: 'x',
      AUTH_EXTERNAL_NAME_URL: 'https://x.example',
    }
    parseConfig(
      new Proxy<Record<string, string>>(env, {
        get(target, name: string) {
          if (name.startsWith('AUTH_')) read.add(generalised(name))
          return target[name]
        },
      }),
    )
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| `AUTH_'))
    const told = rows.flatMap((row) => row.split('|')[1]?.match(/AUTH_[A-Z0-9_<>]+/g) ?? [])
    expect(told.toSorted()).toEqual([...read].toSorted())
  })

  it('confirm addresses automatically only outside production, and never with ADMIN_EMAIL there [AUTH-17]', () => {
    const confirms = (env: Record<string, string>) => parseConfig(env).auth.mailerAutoconfirm
    const production = { NODE_ENV: 'production' }
    expect([confirms({}), confirms(production), confirms({ SMTP_URL: 'smtp://mail.example.com' })]).toEqual([
      true,
      false,
      false,
    ])
    const claimed = { ...production, ADMIN_EMAIL: 'boss@example.com', AUTH_MAILER_AUTOCONFIRM: '1' }
    expect(() => parseConfig(claimed)).toThrow(/AUTH_MAILER_AUTOCONFIRM must be 0 while ADMIN_EMAIL is set/)
    expect(confirms({ ...production, AUTH_MAILER_AUTOCONFIRM: '1' })).toBe(true)
  })

  it('reject invalid SAML keys, or only half of a pair, without repeating them', () => {
    const secret = 'not a key: hunter2'
    expect(() => parseConfig({ AUTH_SAML_PRIVATE_KEY: secret })).toThrow(ConfigError)
    expect(() => parseConfig({ AUTH_SAML_PRIVATE_KEY: secret })).toThrow(/AUTH_SAML_PRIVATE_KEY must be PEM text/)
    expect(() => parseConfig({ AUTH_SAML_PRIVATE_KEY: secret })).not.toThrow(/hunter2/)
  })
})

/** One row for each provider's and each email's settings. */
function generalised(name: string): string {
  return name
    .replace(/^AUTH_EXTERNAL_NAME_/, 'AUTH_EXTERNAL_<NAME>_')
    .replace(/^(AUTH_MAILER_(SUBJECTS|TEMPLATES))_.+$/, '$1_<KIND>')
}
