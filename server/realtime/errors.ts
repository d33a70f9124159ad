import { GatewayError } from '../http/errors.ts'

/** Errors of realtime/v1 over HTTP. Over the websocket, rejections are replies (`join-channel.ts`). Listed in docs/errors.md. */
export const realtimeErrors = {
  privateTopic: (topic: string) =>
    new GatewayError(403, 'unauthorized', `You do not have permissions to write to this Channel topic: ${topic}`),
  tooManyBroadcasts: () =>
    new GatewayError(429, 'too_many_requests', 'You have exceeded your rate limit', {
      headers: { 'retry-after': '1' },
    }),
  tooManyDeliveries: (reason: string) =>
    new GatewayError(429, 'too_many_requests', reason, { headers: { 'retry-after': '1' } }),
  tooManyConnectionsOfAddress: () =>
    new GatewayError(
      429,
      'too_many_connections',
      'ConnectionRateLimitReached: Too many connections from your address',
      {
        headers: { 'retry-after': '5' },
      },
    ),
  connectsTooOften: () =>
    new GatewayError(
      429,
      'too_many_connections',
      'ConnectionRateLimitReached: Too many new connections per second from your address',
      { headers: { 'retry-after': '1' } },
    ),
  tooManyConnections: () =>
    new GatewayError(503, 'too_many_connections', 'ConnectionRateLimitReached: Too many connected users', {
      headers: { 'retry-after': '5' },
    }),
  malformedValue: () => new GatewayError(400, 'malformed_value', "A value can't be stored"),
  unknownVersion: () => new GatewayError(400, 'unknown_version', 'vsn must be 1.0.0 or 2.0.0'),
} as const
