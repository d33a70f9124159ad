import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { CallerResolver } from '../http/caller.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import type { ObjectStore } from './object-store.ts'
import type { Videos } from './video/videos.ts'

/** The services that storage/v1 needs. */
export type Services = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly callers: CallerResolver
  readonly store: ObjectStore
  readonly videos: Videos
  siteUrl(): string
}
