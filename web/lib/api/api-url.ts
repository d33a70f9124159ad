import { appConfig } from './config.ts'

/** The base URL of one of the five APIs (GEN-12). */
export const apiUrl = (api: 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'): string =>
  `${appConfig().supabaseUrl || window.location.origin}/${api}/v1`

export const publicKey = (): string => appConfig().anonKey
