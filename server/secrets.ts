import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import webPush from 'web-push'
import type { Config } from './config.ts'

/** The content of `DATA_DIR/secrets.json`: generated on the first run and kept; the environment overrides it. */
export type Secrets = {
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly jwtSecret: string
  readonly publishableKey: string
  readonly secretKey: string
  /** Password of the embedded PostgreSQL's roles. */
  readonly databasePassword: string
  /** The key for data that is encrypted at rest (DATA-24), 32 bytes in hex. */
  readonly encryptionKey: string
  /** Signing secret of the payment sandbox's webhooks. */
  readonly sandboxWebhookSecret: string
  /** This key pair proves to push services that the server is the one users subscribed to (RFC 8292). */
  readonly vapidPublicKey: string
  readonly vapidPrivateKey: string
}

const tenYearsInSeconds = 10 * 365 * 24 * 3600

/** Reads the secrets, generates missing ones, stores them, and applies the environment's. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const secrets = await readSecrets(config)
  const file = join(config.dataDir, 'secrets.json')
  // Written to a temporary file, flushed, and renamed, so that a crash leaves the old or the new file, never half of one.
  const fresh = `${file}.new`
  writeFileSync(fresh, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
  return secrets
}

/** The same for readers: generates missing secrets without storing them. */
export async function readSecrets(config: Config): Promise<Secrets> {
  const file = join(config.dataDir, 'secrets.json')
  const kept: Partial<Secrets> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const jwtSecret = config.keys.jwtSecret ?? kept.jwtSecret ?? randomBytes(32).toString('hex')
  // The keys are tokens signed with the secret, so a new secret invalidates the stored keys.
  const reusable = kept.jwtSecret === jwtSecret ? kept : {}
  // A new pair invalidates every push subscription made with the old one, so the two are kept together.
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

/** An API key in the clients' legacy form: a token of the role that never expires. */
function signKey(role: string, jwtSecret: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ role, iss: 'ovation' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + tenYearsInSeconds)
    .sign(new TextEncoder().encode(jwtSecret))
}
