import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

describe('the configuration', () => {
  it('needs nothing: every part has its local stand-in [GEN-15, GEN-16]', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8000, platformFeePercent: 10, demo: true, migrate: true })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.stripe.secretKey).toBeUndefined()
    expect(config.smtpUrl).toBeUndefined()
  })

  it('is documented, each variable that is read and no other', () => {
    const read = new Set<string>()
    const everyPart = { S3_BUCKET: 'x', TURN_URLS: 'turn:x', TURN_SECRET: 'x'.repeat(16), STRIPE_SECRET_KEY: 'sk_x' }
    const env = new Proxy<Record<string, string>>(everyPart, {
      get(target, name: string) {
        if (!name.startsWith('AUTH_')) read.add(name) // server/auth/settings.test.ts
        return target[name]
      },
    })
    expect(() => parseConfig(env)).toThrow(ConfigError) // all is read before anything is refused
    const told = ['README.md', 'docs/operations.md'].flatMap((page) =>
      readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => /^\| *`[A-Z]/.test(line) && !line.includes('`AUTH_*`'))
        .flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []),
    )
    expect([...new Set(told)].toSorted()).toEqual([...read].toSorted())
  })

  it('tells every wrong variable in one sentence', () => {
    const wrong = {
      PORT: 'eight',
      API_MAX_ROWS: '0',
      SITE_URL: 'ovation.example',
      MIGRATE: 'perhaps',
      JWT_SECRET: 'short',
    }
    expect(() => parseConfig(wrong)).toThrow(ConfigError)
    for (const name of Object.keys(wrong)) expect(() => parseConfig(wrong)).toThrow(new RegExp(`\\b${name} must`))
  })

  it('does not repeat an address that may hold a password', () => {
    const secret = 'mysql://root:hunter2@db/x'
    expect(() => parseConfig({ DATABASE_URL: secret })).toThrow(/DATABASE_URL must be a URL that begins with postgres/)
    expect(() => parseConfig({ DATABASE_URL: secret })).not.toThrow(/hunter2/)
  })

  it('confirms e-mail addresses at once without SMTP, and asks with it [AUTH-17]', () => {
    expect(parseConfig({}).auth.mailerAutoconfirm).toBe(true)
    expect(parseConfig({ SMTP_URL: 'smtp://mail.example:25' }).auth.mailerAutoconfirm).toBe(false)
  })

  it('lets several processes serve only when they can speak to one another', () => {
    expect(parseConfig({}).sharesPort).toBe(false)
    expect(() => parseConfig({ WORKERS: '2' })).toThrow('REDIS_URL is needed when WORKERS is more than 1')
    expect(parseConfig({ WORKERS: '2', REDIS_URL: 'redis://localhost' })).toMatchObject({
      workers: 2,
      sharesPort: true,
    })
  })

  it('has no demo data in production or on an outside database', () => {
    expect(parseConfig({ NODE_ENV: 'production' }).demo).toBe(false)
    expect(parseConfig({ DATABASE_URL: 'postgres://db/x' }).demo).toBe(false)
    expect(parseConfig({ DEMO: '0' }).demo).toBe(false)
  })

  it('turns what reveals the database off in production', () => {
    expect(parseConfig({ NODE_ENV: 'production' })).toMatchObject({
      apiAggregates: false,
      apiPlan: false,
      apiTxOverride: false,
    })
  })

  it('wants a webhook secret beside a real Stripe key', () => {
    expect(() => parseConfig({ STRIPE_SECRET_KEY: 'sk_test_x' })).toThrow(/STRIPE_WEBHOOK_SECRET is needed/)
  })

  it('keeps files on the disk, and in S3 once a bucket is named', () => {
    expect(parseConfig({}).s3).toBeUndefined()
    expect(parseConfig({ S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }).s3).toMatchObject({
      bucket: 'files',
      region: 'eu-central-1',
      forcePathStyle: false,
      credentials: undefined,
    })
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(parseConfig({ S3_BUCKET: 'files', S3_ENDPOINT: 'http://minio:9000', ...keys }).s3).toMatchObject({
      endpoint: 'http://minio:9000',
      forcePathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
    expect(() => parseConfig({ S3_ENDPOINT: 'http://minio:9000' })).toThrow(/S3_BUCKET is needed/)
    expect(() => parseConfig({ S3_BUCKET: 'files', S3_ENDPOINT: 'minio:9000' })).toThrow(/S3_ENDPOINT must be a URL/)
    expect(() => parseConfig({ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' })).toThrow(/S3_SECRET_ACCESS_KEY is needed/)
  })
})
