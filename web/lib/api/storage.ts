import { StorageClient } from '@supabase/storage-js'
import { apiUrl } from './api-url.ts'
import { fetchAsCaller } from './supabase.ts'

/** Buckets and files, as the current user. */
export const storage = (): StorageClient => new StorageClient(apiUrl('storage'), {}, fetchAsCaller)
