import type { Context } from '../context.ts'
import { apiVersion } from '../http/api-version.ts'
import { newId } from '../store/ids.ts'
import type { Kind, Kinds } from '../store/kinds.ts'
import type { EventType } from './event-types.ts'
import { queueDeliveries } from './queue.ts'

/** Records that something happened, with the object as it is now, and queues it for every endpoint that wants it. A history is silent. */
export function emit(context: Context, type: EventType, object: object, previous?: object): void {
  if (context.isSilent) return
  const event: Kinds['event'] = {
    id: newId('evt'),
    object: 'event',
    ...(context.account && { account: context.account }),
    api_version: apiVersion,
    created: context.now,
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 0,
    request: { id: context.request.id, idempotency_key: context.request.idempotencyKey },
    type,
  }
  event.pending_webhooks = queueDeliveries(context, event)
  context.store.insert('event', context.account, event)
}

/** Stores an object that is new and says so. */
export function created<K extends Kind>(context: Context, kind: K, type: EventType, object: Kinds[K]): Kinds[K] {
  context.store.insert(kind, context.account, object)
  emit(context, type, object)
  return object
}

/** Stores a changed object and says what it was before; an update that changes nothing is silent. */
export function updated<K extends Kind>(context: Context, kind: K, type: EventType, object: Kinds[K]): Kinds[K] {
  const before = context.store.get(kind, object.id)
  const previous = changedAttributes(before, object)
  if (Object.keys(previous).length === 0) return object
  context.store.save<K>(object)
  emit(context, type, object, previous)
  return object
}

/** The top-level fields that differ, with their earlier values; a field that is new stands as null. */
function changedAttributes(before: object, after: object): Record<string, unknown> {
  const old = before as Record<string, unknown>
  const entries = Object.entries(after).filter(([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value))
  return Object.fromEntries(entries.map(([name]) => [name, old[name] ?? null]))
}
