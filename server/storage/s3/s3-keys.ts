import { randomBytes } from 'node:crypto'
import type { Vault } from '../../auth/sealed-secrets.ts'
import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

export type S3Key = { readonly accessKeyId: string; readonly description: string; readonly createdAt: Date }

/** Keys for the S3 protocol. The operator creates them; each has the permissions of the service and can be revoked separately. */
export type S3Keys = {
  /** The secret is returned only here. */
  create(description: string): Promise<S3Key & { readonly secretAccessKey: string }>
  list(): Promise<S3Key[]>
  /** @returns false when there is no such key. */
  revoke(accessKeyId: string): Promise<boolean>
  findSecret(accessKeyId: string): Promise<string | undefined>
}

/** @param db as the service: no other role can access the table. */
export function buildS3Keys(db: ServiceDb, vault: Vault): S3Keys {
  return {
    async create(description) {
      const accessKeyId = randomBytes(16).toString('hex')
      const secretAccessKey = randomBytes(32).toString('hex')
      const [key] = await db.rows<S3Key>(sql`
        insert into private.s3_keys (access_key_id, sealed_secret, description)
        values (${accessKeyId}, ${vault.seal(secretAccessKey, accessKeyId)}, ${description})
        returning access_key_id as "accessKeyId", description, created_at as "createdAt"`)
      if (!key) throw new Error('an insert returned no row')
      return { ...key, secretAccessKey }
    },
    list() {
      return db.rows<S3Key>(sql`
        select access_key_id as "accessKeyId", description, created_at as "createdAt" from private.s3_keys order by created_at`)
    },
    async revoke(accessKeyId) {
      const rows = await db.rows(sql`delete from private.s3_keys where access_key_id = ${accessKeyId} returning 1`)
      return rows.length > 0
    },
    async findSecret(accessKeyId) {
      const [key] = await db.rows<{ sealed_secret: string }>(
        sql`select sealed_secret from private.s3_keys where access_key_id = ${accessKeyId}`,
      )
      return key && vault.open(key.sealed_secret, accessKeyId)
    },
  }
}
