import { randomUUID } from 'node:crypto'
import type { FastifyCorsOptions } from '@fastify/cors'
import { type FastifyBaseLogger, LogController } from 'fastify'
import type { HelmetOptions } from 'helmet'
import type { Config } from '../config.ts'

/** Room for what clients send as JSON; uploads have their own limits. */
export const bodyLimitBytes = 4 * 1024 * 1024

/** The address of the client is told by one trusted proxy on this machine. */
export const trustProxy = 'loopback'

export function serverOptions({ log }: { readonly log: FastifyBaseLogger }) {
  return {
    loggerInstance: log,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    // Fastify's own request lines would show the query, which may carry keys and signed links: request-log.ts writes ours.
    logController: new LogController({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
    // A connection that is idle must not hold up a stop.
    forceCloseConnections: true as const,
    trustProxy,
    routerOptions: { maxParamLength: 2048 },
  }
}

/** Browser code of other origins may call the API: what it may do depends on its token, never on cookies. */
export const corsOptions: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  // One text: a list would be joined for each answer.
  exposedHeaders: [
    'content-range',
    'content-location',
    'content-profile',
    'location',
    'link',
    'preference-applied',
    'range-unit',
    'x-total-count',
    'x-request-id',
    'x-relay-error',
    'x-supabase-api-version',
    'etag',
    'content-length',
    'content-disposition',
    'accept-ranges',
    'upload-offset',
    'upload-length',
    'upload-expires',
    'tus-resumable',
    'tus-version',
    'tus-extension',
    'tus-max-size',
  ].join(', '),
  maxAge: 86_400,
  strictPreflight: false,
}

/** What `corsOptions` put on an answer. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': corsOptions.exposedHeaders as string,
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
        connectSrc: ["'self'", 'ws:', 'wss:'],
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
    strictTransportSecurity: siteUrl?.startsWith('https:') ? { maxAge: 15_552_000 } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  }
}
