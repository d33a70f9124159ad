import { appConfig } from './config.ts'

/** The base URL of one of the five APIs (GEN-12). */
export const apiUrl = (door: 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'): string =>
  `${appConfig().supabaseUrl || window.location.origin}/${door}/v1`

export const publicKey = (): string => appConfig().anonKey
