import { StorageClient } from '@supabase/storage-js'
import { apiUrl } from './api-url.ts'
import { fetchAsCaller } from './supabase.ts'

/** Buckets and files, as whoever is signed in. */
export const storage = (): StorageClient => new StorageClient(apiUrl('storage'), {}, fetchAsCaller)
