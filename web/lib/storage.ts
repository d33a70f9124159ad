import { StorageClient } from '@supabase/storage-js'
import { doorAddress } from './doors.ts'
import { fetchAsCaller } from './supabase.ts'

/** Buckets and files, as whoever is signed in. */
export const storage = (): StorageClient => new StorageClient(doorAddress('storage'), {}, fetchAsCaller)
