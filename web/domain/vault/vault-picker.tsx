import { Button, Group, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useCallback, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { describeReceived } from './describe-received.ts'
import { noFilter, type VaultFile, type VaultFilter } from './queries.ts'
import { VaultFilters } from './vault-filters.tsx'
import { VaultGrid } from './vault-grid.tsx'
import classes from './vault-picker.module.css'
import { VaultTile } from './vault-tile.tsx'

const texts = vaultTexts.picker

export type PickedFile = { file: VaultFile; link: string | undefined }

type Props = {
  /** How many more files the post or message can have. */
  most: number
  /** The fan who gets the files, if there is one: tiles say what they already have (INBOX-04). */
  fanId?: string | undefined
  /** A post has no voice messages (INBOX-05). */
  forPost?: boolean
  onPick: (files: PickedFile[]) => void
  onClose: () => void
}

/** Chooses files of the vault for a post or a message, in the order in which they are chosen (VAULT-02). */
export default function VaultPicker({ most, fanId, forPost = false, onPick, onClose }: Props) {
  const [filter, setFilter] = useState<VaultFilter>(noFilter)
  const [picked, setPicked] = useState<PickedFile[]>([])
  const change = useCallback((part: Partial<VaultFilter>) => setFilter((current) => ({ ...current, ...part })), [])
  // Stable, so that choosing a file renders its tile only.
  const toggle = useCallback(
    (file: VaultFile, link: string | undefined) =>
      setPicked((current) => {
        if (current.some((one) => one.file.id === file.id)) return current.filter((one) => one.file.id !== file.id)
        return [...current, { file, link }]
      }),
    [],
  )
  const add = () => {
    onPick(picked)
    onClose()
  }
  return (
    <Dialog title={texts.title} onClose={onClose} size="xl" fullScreenOnPhone>
      <VaultFilters filter={filter} onChange={change} withAlbums />
      <div className={classes.files}>
        <VaultGrid filter={filter} onClear={() => setFilter(noFilter)} fanId={fanId}>
          {(file, link, received) => {
            const chosen = picked.some((one) => one.file.id === file.id)
            return (
              <VaultTile
                file={file}
                link={link}
                chosen={chosen}
                disabled={(!chosen && picked.length >= most) || (forPost && file.kind === 'audio')}
                received={received && describeReceived(received)}
                onPress={toggle}
              />
            )
          }}
        </VaultGrid>
      </div>
      <Group justify="flex-end" gap="xs" className={classes.actions ?? ''} data-keep-clear>
        <Text size="sm" c="dimmed" mr="auto" role="status">
          {picked.length >= most && texts.most(most)}
        </Text>
        <Button variant="default" onClick={onClose}>
          {commonTexts.cancel}
        </Button>
        <Button disabled={picked.length === 0} onClick={add}>
          {texts.add(picked.length)}
        </Button>
      </Group>
    </Dialog>
  )
}
