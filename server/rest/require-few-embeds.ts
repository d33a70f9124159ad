import type { ApiLimits } from './api-limits.ts'
import { restErrors } from './errors.ts'
import type { ParsedRequest } from './parse/request.ts'

/** @throws GatewayError 54001 (400): the number of rows multiplies with every level. */
export function requireFewEmbeds({ embeds: { depth, count } }: ParsedRequest, limits: ApiLimits): void {
  if (depth > limits.maxEmbedDepth) throw restErrors.embedDepth(depth, limits.maxEmbedDepth)
  if (count > limits.maxEmbeds) throw restErrors.embeds(count, limits.maxEmbeds)
}
