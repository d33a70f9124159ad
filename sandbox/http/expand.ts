import type { Context } from '../context.ts'
import { errors } from './errors.ts'
import type { Resource } from './resource.ts'

type Node = Record<string, unknown>

const maxDepth = 4

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Replaces ids by objects along each path of `expand[]`, as `latest_invoice.payments` or `data.customer`.
 * @throws 400 for a path that cannot be expanded. A path that ends at null stays null, as at Stripe.
 */
export function expand(
  context: Context,
  resources: readonly Resource[],
  answer: object,
  paths: readonly string[],
): object {
  const copy = structuredClone(answer)
  for (const path of paths) {
    const parts = path.split('.')
    if (parts.filter((part) => part !== 'data').length > maxDepth)
      throw errors.malformed(`You cannot expand more than ${maxDepth} levels of a property (${path}).`)
    walk({ context, resources, path }, copy, parts)
  }
  return copy
}

type Walk = { context: Context; resources: readonly Resource[]; path: string }

function walk(walker: Walk, node: unknown, parts: readonly string[]): void {
  if (parts.length === 0 || node === null || node === undefined) return
  if (!isNode(node)) throw errors.notExpandable(walker.path)
  if (node.object === 'list') {
    if (parts[0] !== 'data' || !Array.isArray(node.data)) throw errors.notExpandable(walker.path)
    for (const item of node.data) walk(walker, item, parts.slice(1))
    return
  }
  const resource = walker.resources.find((candidate) => candidate.kind === node.object)
  const step = resource && stepOf(resource, parts)
  if (step) {
    const [holder, name] = holderOf(node, step)
    if (holder && name) fill(walker, resource, node, holder, name)
    walk(walker, holder?.[name], parts.slice(step.length))
    return
  }
  // A list inside the object (`items.data…`) is walked through without being expanded itself.
  const inner = node[parts[0] ?? '']
  if (!isNode(inner) || parts.length === 1) throw errors.notExpandable(walker.path)
  walk(walker, inner, parts.slice(1))
}

/** The longest beginning of `parts` that the resource declares: fields may lie deep, as `parent.subscription_details.subscription`. */
function stepOf(resource: Resource, parts: readonly string[]): readonly string[] | undefined {
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('.')
    if (resource.expandable?.includes(name) || resource.includable?.[name]) return parts.slice(0, length)
  }
  return undefined
}

function holderOf(node: Node, step: readonly string[]): [Node | undefined, string] {
  let holder: unknown = node
  for (const part of step.slice(0, -1)) holder = isNode(holder) ? holder[part] : undefined
  return [isNode(holder) ? holder : undefined, step.at(-1) ?? '']
}

function fill(walker: Walk, resource: Resource, owner: Node, holder: Node, name: string): void {
  const include = resource.includable?.[name]
  if (include && holder[name] === undefined) holder[name] = include(walker.context, { id: String(owner.id) })
  const value = holder[name]
  if (typeof value === 'string') holder[name] = walker.context.store.findAny(value) ?? value
}
