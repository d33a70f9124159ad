import { appConfig } from './config.ts'

/** The origin of this site. Where the server renders a page for visitors, it comes with the settings. */
export const siteOrigin = (): string => (import.meta.env.SSR ? appConfig().supabaseUrl : window.location.origin)

/** The base URL of one of the five APIs (GEN-12). */
export const apiUrl = (api: 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'): string =>
  `${appConfig().supabaseUrl || siteOrigin()}/${api}/v1`

export const publicKey = (): string => appConfig().anonKey
