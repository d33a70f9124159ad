import { randomUUID } from 'node:crypto'
import { type FastifyBaseLogger, LogController } from 'fastify'
import type { HelmetOptions } from 'helmet'
import type { Config } from '../config.ts'
import type { TrustsProxy } from './client-address.ts'

/** Room for what clients send as JSON; uploads have their own limits. */
export const bodyLimitBytes = 4 * 1024 * 1024

/** Fastify's options; the server itself is made by http-server.ts. */
export function serverOptions({
  log,
  trustsProxy,
}: {
  readonly log: FastifyBaseLogger
  readonly trustsProxy: TrustsProxy
}) {
  return {
    loggerInstance: log,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    // Fastify's own request lines would show the query, which may carry keys and signed links: request-log.ts writes ours.
    logController: new LogController({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
    // A connection that is idle must not hold up a stop.
    forceCloseConnections: true as const,
    trustProxy: trustsProxy,
    routerOptions: { maxParamLength: 2048 },
  }
}

/** Of rows: nothing in them may run or be framed, should a browser ever show them as a page. */
export function rowHelmetOptions(config: Config): HelmetOptions {
  const { crossOriginResourcePolicy, strictTransportSecurity } = helmetOptions(config)
  return {
    crossOriginResourcePolicy,
    strictTransportSecurity,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }
}

/**
 * WebSockets of our own origin: older browsers do not count them as 'self'. A policy can't name an IPv6 address: browsers ignore it and
 * complain in the console, so those addresses rely on 'self'.
 */
function liveOrigins(siteUrl: string | undefined): string[] {
  const origins = siteUrl === undefined ? ['ws://127.0.0.1:*', 'ws://localhost:*'] : [siteUrl.replace(/^http/, 'ws')]
  return origins.filter((origin) => !origin.includes('['))
}

/** No inline script anywhere; styles may be inline because Mantine sets custom properties on elements. */
export function helmetOptions({ siteUrl, stripe }: Config): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...liveOrigins(siteUrl)],
        formAction: [
          "'self'",
          ...(stripe.secretKey ? ['https://checkout.stripe.com', 'https://connect.stripe.com'] : []),
        ],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    // Media and API answers are meant for other origins too (CORS above); pages are protected by frame-ancestors.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' }, // as frame-ancestors says it to newer browsers
    strictTransportSecurity: siteUrl?.startsWith('https:') ? { maxAge: 15_552_000 } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  }
}
