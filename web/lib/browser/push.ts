import { appConfig } from '../api/config.ts'
import { supabase } from '../api/supabase.ts'
import { registerServiceWorker } from './service-worker.ts'

/** The state of push notifications, found without asking for permission. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

export type PushDevice = { id: string; endpoint: string; user_agent: string | null; created_at: string }

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** @param devices the user's subscriptions on the server: one that is missing there receives nothing. */
export async function readPushState(devices: PushDevice[]): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const own = await ownSubscription()
  return own && devices.some(({ endpoint }) => endpoint === own.endpoint) ? 'on' : 'off'
}

export async function listPushDevices(signal: AbortSignal): Promise<PushDevice[]> {
  const { data } = await supabase
    .rpc('list_push_subscriptions')
    .abortSignal(signal)
    .throwOnError()
    .overrideTypes<PushDevice[], { merge: false }>()
  return data
}

/** Asks for permission, subscribes this browser, and registers it on the server. @returns false when permission was denied. */
export async function turnPushOn(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await registerServiceWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: appConfig().pushKey }
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // Subscribed with another key, for example of an earlier installation: start over.
    const old = await pushManager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return pushManager.subscribe(options)
  })
  const { endpoint, keys } = subscription.toJSON()
  await supabase
    .rpc('save_push_subscription', {
      endpoint: endpoint ?? '',
      p256dh: keys?.p256dh ?? '',
      auth: keys?.auth ?? '',
      user_agent: navigator.userAgent,
    })
    .throwOnError()
  return true
}

/** Deletes a subscription on the server, and in this browser if it belongs to it. */
export async function turnPushOff({ id, endpoint }: PushDevice): Promise<void> {
  await supabase.rpc('remove_push_subscription', { subscription_id: id }).throwOnError()
  if (!isSupported()) return
  const own = await ownSubscription()
  if (own?.endpoint === endpoint) await own.unsubscribe()
}
