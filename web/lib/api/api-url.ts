import { appConfig } from './config.ts'

/** Where one of the five API families answers (GEN-12). */
export const apiUrl = (door: 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'): string =>
  `${appConfig().supabaseUrl || window.location.origin}/${door}/v1`

export const publicKey = (): string => appConfig().anonKey
