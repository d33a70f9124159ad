import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import webPush from 'web-push'
import type { Config } from './config.ts'

/** What `DATA_DIR/secrets.json` holds: generated on the first run, kept, and overruled by the environment. */
export type Secrets = {
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly jwtSecret: string
  readonly publishableKey: string
  readonly secretKey: string
  /** Password of the embedded PostgreSQL's roles. */
  readonly databasePassword: string
  /** Key of what is encrypted at rest (DATA-24), 32 bytes in hex. */
  readonly encryptionKey: string
  /** Signing secret of the payment sandbox's webhooks. */
  readonly sandboxWebhookSecret: string
  /** With this pair the server shows push services that it is the one that people subscribed to (RFC 8292). */
  readonly vapidPublicKey: string
  readonly vapidPrivateKey: string
}

const tenYearsInSeconds = 10 * 365 * 24 * 3600

/** Reads the secrets, makes those that are missing, and applies the environment's. They are kept from now on. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const secrets = await readSecrets(config)
  const file = join(config.dataDir, 'secrets.json')
  // Written beside, to the disk, and renamed: a crash leaves the old file or the new one, never half of one.
  const fresh = `${file}.new`
  writeFileSync(fresh, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
  return secrets
}

/** The same for whoever only looks: what is missing is made, and not kept. */
export async function readSecrets(config: Config): Promise<Secrets> {
  const file = join(config.dataDir, 'secrets.json')
  const kept: Partial<Secrets> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const jwtSecret = config.keys.jwtSecret ?? kept.jwtSecret ?? randomBytes(32).toString('hex')
  // Keys are tokens of the secret: a new secret makes the kept ones worthless.
  const reusable = kept.jwtSecret === jwtSecret ? kept : {}
  // A new pair silences every browser that subscribed under the old one: the two are kept together.
  const vapid = kept.vapidPublicKey && kept.vapidPrivateKey ? kept : newVapidKeys()
  return {
    anonKey: config.keys.anonKey ?? reusable.anonKey ?? (await signKey('anon', jwtSecret)),
    serviceRoleKey: config.keys.serviceRoleKey ?? reusable.serviceRoleKey ?? (await signKey('service_role', jwtSecret)),
    jwtSecret,
    publishableKey: kept.publishableKey ?? `sb_publishable_${randomBytes(18).toString('base64url')}`,
    secretKey: kept.secretKey ?? `sb_secret_${randomBytes(18).toString('base64url')}`,
    databasePassword: kept.databasePassword ?? randomBytes(24).toString('hex'),
    encryptionKey: kept.encryptionKey ?? randomBytes(32).toString('hex'),
    sandboxWebhookSecret: kept.sandboxWebhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`,
    vapidPublicKey: config.notifications.vapid?.publicKey ?? vapid.vapidPublicKey ?? '',
    vapidPrivateKey: config.notifications.vapid?.privateKey ?? vapid.vapidPrivateKey ?? '',
  }
}

function newVapidKeys(): Pick<Secrets, 'vapidPublicKey' | 'vapidPrivateKey'> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { vapidPublicKey: publicKey, vapidPrivateKey: privateKey }
}

/** An API key in the clients' older form: a token of the role that never needs renewal. */
function signKey(role: string, jwtSecret: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ role, iss: 'ovation' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + tenYearsInSeconds)
    .sign(new TextEncoder().encode(jwtSecret))
}
