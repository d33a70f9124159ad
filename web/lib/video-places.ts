import { browserStore } from './browser-store.ts'

/** Where somebody stopped each video, in seconds, kept over visits (POST-16). */
export const videoPlaces = browserStore(() => localStorage, 'ovation:video:')
