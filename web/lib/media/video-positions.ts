import { browserStore } from '../browser/browser-store.ts'

/** Where somebody stopped each video, in seconds, kept over visits (POST-16). */
export const videoPositions = browserStore(() => localStorage, 'ovation:video:')
