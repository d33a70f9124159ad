import { Loader } from '@mantine/core'
import { connectedAppsTexts } from '@ovation/contract/texts/connected-apps'
import { MessageState } from '../../ui/message-state.tsx'

/** Shown while the browser opens the app. */
export function Leaving({ host }: { host: string }) {
  return (
    <div role="status">
      <MessageState order={1} icon={<Loader size={24} />} title={connectedAppsTexts.consent.leaving(host)} />
    </div>
  )
}
