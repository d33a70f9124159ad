import { settingsTexts as texts } from '@ovation/contract/texts/settings'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { type Settings, settingsQuery } from './settings-query.ts'
import { type Change, useSaveSettings } from './use-settings.ts'

type Props = { profileId: string; children: (settings: Settings, save: (change: Change) => void) => ReactNode }

/** Renders content that needs the stored settings, with a function to change them. */
export function ForSettings({ profileId, children }: Props) {
  const settings = useQuery(settingsQuery(profileId))
  const save = useSaveSettings(profileId)
  if (settings.data) return children(settings.data, save.mutate)
  if (!settings.isError) return <ListSkeleton rows={3} />
  return <LoadFailed title={texts.loadFailed} of={settings} />
}
