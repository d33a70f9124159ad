import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'
import { usualWorkers } from './usual-workers.ts'

describe('the configuration', () => {
  it('needs no configuration: every service has a local stand-in [GEN-15, GEN-16]', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8000, platformFeePercent: 10, demo: true, migrate: true })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.stripe.secretKey).toBeUndefined()
    expect(config.smtpUrl).toBeUndefined()
  })

  it('is documented: all variables that the code reads and no others', () => {
    const read = new Set<string>()
    const everyPart = { S3_BUCKET: 'x', TURN_URLS: 'turn:x', TURN_SECRET: 'x'.repeat(16), STRIPE_SECRET_KEY: 'sk_x' }
    const env = new Proxy<Record<string, string>>(everyPart, {
      get(target, name: string) {
        if (!name.startsWith('AUTH_')) read.add(name) // server/auth/settings.test.ts
        return target[name]
      },
    })
    expect(() => parseConfig(env)).toThrow(ConfigError) // reads everything before rejecting anything
    read.add('SANDBOX_TRUTH') // sandbox/truth.ts
    const told = ['README.md', 'docs/configuration.md', 'docs/operations.md'].flatMap((page) =>
      readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => /^\| *`(?!AUTH_)[A-Z]/.test(line))
        .flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []),
    )
    expect([...new Set(told)].toSorted()).toEqual([...read].toSorted())
  })

  it('describes every invalid variable in one sentence', () => {
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

  it.each([
    [
      'SITE_URL',
      'https://creators.example/sub',
      'SITE_URL must be an origin without a path, such as https://creators.example',
    ],
    ['STRIPE_SECRET_KEY', 'pk_live_1', 'STRIPE_SECRET_KEY must begin with sk_ or rk_'],
    ['STRIPE_WEBHOOK_SECRET', 'secret', 'STRIPE_WEBHOOK_SECRET must begin with whsec_'],
    ['ADMIN_EMAIL', 'notmail', 'ADMIN_EMAIL must be an email address'],
    ['FFMPEG_PATH', '/nope', "FFMPEG_PATH /nope isn't a program"],
    ['DATABASE_URL', 'postgres:///db?host=a,b&port=1,2', 'DATABASE_URL names several hosts in its query'],
    ['DATABASE_URL', 'postgres://a,,b/db', 'DATABASE_URL must have a name and a port for each of its hosts'],
    ['DATABASE_DIRECT_URL', 'postgres://a:1,b:x/db', 'DATABASE_DIRECT_URL must have a name and a port for each'],
    ['DATABASE_URL', 'mysql://a:1,b:2/db', 'such as postgres://user@host1:5432,host2:5432/database'],
    ['DATABASE_URL', 'postgres://a/db?target_session_attrs=standby', 'DATABASE_URL requests a read-only session'],
    [
      'DATABASE_URL',
      'postgres://a,b/db?target_session_attrs=prefer-standby',
      'DATABASE_URL requests a read-only session',
    ],
    ['FILES_URL', 'files.example', 'FILES_URL must be a URL that begins with http:// or https://.'],
    ['FILES_URL', 'https://files.example/ovation', 'FILES_URL must be an origin without a path'],
    ['DATABASE_POOLING', 'transaction', 'DATABASE_DIRECT_URL is needed when DATABASE_POOLING is transaction'],
    ['REDIS_URL', 'redis://a:1,b:2', 'REDIS_URL must be a URL'],
  ])('reports what is wrong with %s=%s', (name, value, complaint) => {
    expect(() => parseConfig({ [name]: value })).toThrow(complaint)
  })

  it.each([
    'postgres://user:a,b@host/db',
    'postgres://host/db?target_session_attrs=read-write',
    'postgres://host/db?target_session_attrs=primary&application_name=a,b',
    'postgres://user:secret@a:1,b/db?target_session_attrs=read-write',
    'postgres://user@[::1]:5432,[fe80::2]:5433,c/db',
  ])('accepts %s, one of whose hosts takes writes [SCALE-03]', (url) => {
    expect(parseConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  it('rejects a CDN whose files browsers would block, and one that would be redirected past [SCALE-06]', () => {
    const files = { SITE_URL: 'https://creators.example', FILES_URL: 'https://files.example' }
    expect(parseConfig(files).filesUrl).toBe('https://files.example')
    expect(() => parseConfig({ ...files, FILES_URL: 'http://files.example' })).toThrow(
      "FILES_URL must begin with https:// like SITE_URL: browsers don't load anything else on its pages.",
    )
    expect(() => parseConfig({ ...files, S3_BUCKET: 'b', S3_REDIRECTS: '1' })).toThrow(
      "S3_REDIRECTS must be 0 when FILES_URL is set: a CDN can't keep what it is redirected for.",
    )
  })

  it('lists variables that look like its own but have no effect', () => {
    const env = {
      SIET_URL: 'x',
      AUTH_JTW_EXP: '1',
      STRIPE_KEY: 'sk',
      PATH: '/bin',
      HOSTNAME: 'h',
      SHELL: 's',
      TERM: 't',
    }
    expect(parseConfig(env).unknownVariables).toEqual([
      { name: 'SIET_URL', meant: 'SITE_URL' },
      { name: 'AUTH_JTW_EXP', meant: 'AUTH_JWT_EXP' },
      { name: 'STRIPE_KEY', meant: undefined },
    ])
  })

  it("doesn't repeat a URL that may hold a password", () => {
    const secret = 'mysql://root:hunter2@db/x'
    expect(() => parseConfig({ DATABASE_URL: secret })).toThrow(/DATABASE_URL must be a URL that begins with postgres/)
    expect(() => parseConfig({ DATABASE_URL: secret })).not.toThrow(/hunter2/)
  })

  it('keeps the demo off with a real Stripe, and rejects a publishable key', () => {
    const live = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    expect(parseConfig({}).demo).toBe(true)
    expect(parseConfig({ ...live, DEMO: '1' }).demo).toBe(false)
    expect(parseConfig({ STRIPE_API_BASE: 'http://127.0.0.1:4242' }).demo).toBe(false)
    expect(() => parseConfig({ ...live, STRIPE_SECRET_KEY: 'pk_test_x' })).toThrow(/STRIPE_SECRET_KEY must begin with/)
  })

  it('confirms email addresses at once without SMTP, and requires confirmation with it [AUTH-17]', () => {
    expect(parseConfig({}).auth.mailerAutoconfirm).toBe(true)
    expect(parseConfig({ SMTP_URL: 'smtp://mail.example:25' }).auth.mailerAutoconfirm).toBe(false)
  })

  it("rejects an entry of TRUSTED_PROXIES that isn't an address, network, or known name", () => {
    expect(parseConfig({}).trustedProxies).toEqual(['loopback'])
    expect(parseConfig({ TRUSTED_PROXIES: 'loopback, 10.77.0.0/16' }).trustedProxies).toEqual([
      'loopback',
      '10.77.0.0/16',
    ])
    expect(() => parseConfig({ TRUSTED_PROXIES: '10.77.0.0/16,proxy.example' })).toThrow(
      /^TRUSTED_PROXIES must list .* not "proxy\.example"\.$/,
    )
  })

  it('serves with a process for each core but one, at most four, where they can share a port [SCALE-08]', () => {
    expect([1, 2, 3, 5, 64].map((cores) => usualWorkers(cores, 'linux'))).toEqual([1, 1, 2, 4, 4])
    expect(usualWorkers(8, 'darwin')).toBe(1)
    expect(parseConfig({}).workers).toBe(usualWorkers())
    expect(parseConfig({ WORKERS: '1' }).sharesPort).toBe(false)
    expect(parseConfig({ WORKERS: '2' })).toMatchObject({ workers: 2, sharesPort: true, redisUrl: undefined })
  })

  it('has no demo data in production or on an external database', () => {
    expect(parseConfig({ NODE_ENV: 'production' }).demo).toBe(false)
    expect(parseConfig({ DATABASE_URL: 'postgres://db/x' }).demo).toBe(false)
    expect(parseConfig({ DEMO: '0' }).demo).toBe(false)
  })

  it('turns off database details in production', () => {
    expect(parseConfig({ NODE_ENV: 'production' })).toMatchObject({
      apiAggregates: false,
      apiPlan: false,
      apiTxOverride: false,
      apiOpenApi: 'service',
    })
    expect(parseConfig({}).apiOpenApi).toBe('everyone')
  })

  it('requires a webhook secret with a real Stripe key', () => {
    expect(() => parseConfig({ STRIPE_SECRET_KEY: 'sk_test_x' })).toThrow(/STRIPE_WEBHOOK_SECRET is needed/)
  })

  it('stores files on disk, or in S3 once a bucket is named', () => {
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
