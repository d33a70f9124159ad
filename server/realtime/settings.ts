import type { EnvironmentReader } from '../environment-reader.ts'

export type RealtimeSettings = ReturnType<typeof readRealtimeSettings>

/**
 * Limits of one node's live updates. A delivery is one broadcast or presence for one receiver, and counts again for each full 16 kB. Limits per
 * second allow bursts of twice as much. The limits per address and sender keep one client from using up the whole node.
 */
export function readRealtimeSettings(read: EnvironmentReader) {
  const limit = (name: string, fallback: number) => read.integer(name, fallback, 1, 1_000_000)
  return {
    maxConnections: limit('REALTIME_MAX_CONNECTIONS', 20_000),
    maxConnectionsPerAddress: limit('REALTIME_MAX_CONNECTIONS_PER_ADDRESS', 200),
    maxChannelsPerAddress: limit('REALTIME_MAX_CHANNELS_PER_ADDRESS', 4_000),
    maxJoinsPerSecond: limit('REALTIME_MAX_JOINS_PER_SECOND', 5_000),
    maxJoinsPerSecondPerAddress: limit('REALTIME_MAX_JOINS_PER_SECOND_PER_ADDRESS', 100),
    maxEventsPerSecond: limit('REALTIME_MAX_EVENTS_PER_SECOND', 20_000),
    maxEventsPerSecondPerAddress: limit('REALTIME_MAX_EVENTS_PER_SECOND_PER_ADDRESS', 2_000),
    maxDeliveriesPerSecond: limit('REALTIME_MAX_DELIVERIES_PER_SECOND', 20_000),
    maxDeliveriesPerSecondPerTopic: limit('REALTIME_MAX_DELIVERIES_PER_SECOND_PER_TOPIC', 10_000),
    /** For each address and, when signed in, each account. */
    maxDeliveriesPerSecondPerSender: limit('REALTIME_MAX_DELIVERIES_PER_SECOND_PER_SENDER', 5_000),
    /** Whether visitors may broadcast and be present in public topics, as at Supabase. */
    visitorsMaySend: read.flag('REALTIME_VISITORS_MAY_SEND', true),
  }
}
