import { type CapabilityName, capabilityNames, capabilityOf } from '../billing/capability.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { listOf } from '../http/paging.ts'
import { type Resource, route } from '../http/resource.ts'
import { requireAccount } from './accounts.ts'

function one(context: Context, id: string, name: CapabilityName) {
  const capability = capabilityOf(requireAccount(context, id), name)
  if (!capability) throw errors.missing('capability', name, 'capability', 404)
  return capability
}

export const capabilities: Resource = {
  kind: 'capability',
  expandable: ['account'],
  routes: [
    route('GET', '/v1/accounts/:id/capabilities', {}, (context, _params, id) => {
      const account = requireAccount(context, id)
      const data = capabilityNames.flatMap((name) => capabilityOf(account, name) ?? [])
      return listOf(`/v1/accounts/${id}/capabilities`, data)
    }),
    ...capabilityNames.map((name) =>
      route('GET', `/v1/accounts/:id/capabilities/${name}`, {}, (context, _params, id) => one(context, id, name)),
    ),
  ],
}
