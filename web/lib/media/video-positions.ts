import { browserStore } from '../browser/browser-store.ts'

/** The position in each video, in seconds, kept across visits (POST-16). */
export const videoPositions = browserStore(() => localStorage, 'ovation:video:')
