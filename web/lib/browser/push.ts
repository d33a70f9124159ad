import { appConfig } from '../api/config.ts'
import { supabase } from '../api/supabase.ts'

/** What this browser can say about push notifications without asking anybody. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

export type PushDevice = { id: string; endpoint: string; user_agent: string | null; created_at: string }

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** @param devices the person's subscriptions as the server has them: one that it does not know shows nothing. */
export async function readPushState(devices: PushDevice[]): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const own = await ownSubscription()
  return own && devices.some(({ endpoint }) => endpoint === own.endpoint) ? 'on' : 'off'
}

export async function listPushDevices(signal: AbortSignal): Promise<PushDevice[]> {
  const { data } = await supabase.rpc('list_push_subscriptions').abortSignal(signal).throwOnError()
  return data as unknown as PushDevice[]
}

/** Asks for permission, subscribes this browser and tells the server. @returns false when the person refused. */
export async function turnPushOn(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: appConfig().pushKey }
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // Subscribed under another key, e.g. of an earlier installation: begin anew.
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

/** Ends a subscription at the server, and in this browser where it is this browser's. */
export async function turnPushOff({ id, endpoint }: PushDevice): Promise<void> {
  await supabase.rpc('remove_push_subscription', { subscription_id: id }).throwOnError()
  if (!isSupported()) return
  const own = await ownSubscription()
  if (own?.endpoint === endpoint) await own.unsubscribe()
}
