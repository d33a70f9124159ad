import type { HelmetOptions } from 'helmet'
import type { Config } from '../config.ts'

/** For responses with rows: nothing in them may run or be framed if a browser ever shows them as a page. */
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
 * WebSockets of our own origin: older browsers don't count them as 'self'. A policy can't name an IPv6 address: browsers ignore it and
 * complain in the console, so those addresses rely on 'self'.
 */
function liveOrigins(siteUrl: string | undefined): string[] {
  const origins = siteUrl === undefined ? ['ws://127.0.0.1:*', 'ws://localhost:*'] : [siteUrl.replace(/^http/, 'ws')]
  return origins.filter((origin) => !origin.includes('['))
}

/** Origins other than the site's from which browsers load files. */
export const filesOrigins = ({ filesUrl }: Pick<Config, 'filesUrl'>): string[] =>
  filesUrl === undefined ? [] : [filesUrl]

/** No inline script anywhere. Styles may be inline, because Mantine writes them at run time (docs/deviations.md). */
export function helmetOptions({ siteUrl, filesUrl, stripe }: Config): HelmetOptions {
  const files = filesOrigins({ filesUrl })
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...files],
        mediaSrc: ["'self'", 'blob:', ...files],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...liveOrigins(siteUrl), ...files], // streams of videos
        formAction: [
          "'self'",
          ...(stripe.secretKey ? ['https://checkout.stripe.com', 'https://connect.stripe.com'] : []),
        ],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    // Other origins may use media and API responses (CORS above); frame-ancestors protects pages.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' }, // the same as frame-ancestors, for older browsers
    strictTransportSecurity: siteUrl?.startsWith('https:') ? { maxAge: 15_552_000 } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  }
}
