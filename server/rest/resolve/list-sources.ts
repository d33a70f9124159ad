import type { Name } from '../catalog/types.ts'
import type { ReadPlan, RequestPlan } from './plan.ts'

/** Every table, view, and function that the request names. */
export function listSources({ relation, call, read }: RequestPlan): readonly Name[] {
  return [call?.function ?? relation, ...sourcesOf(read)]
}

function sourcesOf({ from, junction, embeds }: ReadPlan): Name[] {
  const own: Name[] = []
  if (from.kind === 'relation') own.push(from.relation)
  if (from.kind === 'computed') own.push(from.function)
  if (junction) own.push(junction)
  return [...own, ...embeds.flatMap(({ read }) => sourcesOf(read))]
}
