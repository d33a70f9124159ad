import { type ConstructorOptions, PgBoss } from 'pg-boss'
import { Client } from '../postgres/client.ts'

/** The job queue on the owner's connections. pg-boss passes its options on to pg's pool, but its types know fewer. */
export function openQueue(ownerUrl: string, options: ConstructorOptions): PgBoss {
  const pool = { Client, connectionString: ownerUrl }
  return new PgBoss({ ...options, ...pool })
}
