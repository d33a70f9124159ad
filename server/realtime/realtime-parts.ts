import type { FastifyBaseLogger } from 'fastify'
import type { CallerResolver } from '../http/caller.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import type { Allowances } from './allowances.ts'
import type { ChangeDelivery } from './change-delivery.ts'
import type { Hub } from './hub.ts'

/** Shared by every connection of this node. */
export type RealtimeParts = {
  readonly callers: CallerResolver
  /** Reads what policies allow a user in a private topic. */
  readonly service: ServiceDb
  readonly hub: Hub
  readonly changes: ChangeDelivery
  readonly log: FastifyBaseLogger
  readonly allowances: Allowances
}
