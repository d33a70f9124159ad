import type { Config } from './config.ts'
import type { Telemetry } from './telemetry.ts'

/** Loads OpenTelemetry only if it is used: it takes memory and time at the start. */
export async function startTelemetry(config: Pick<Config, 'telemetry' | 'port'>): Promise<Telemetry | undefined> {
  const { traces, metrics } = config.telemetry
  if (!traces && !metrics) return undefined
  const { OpenTelemetry } = await import('./open-telemetry.ts')
  return new OpenTelemetry(config)
}
