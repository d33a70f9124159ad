import { Alert, Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { privateFeedPath } from '@ovation/contract/feed-paths'
import { feedTexts } from '@ovation/contract/texts/feeds'
import { IconPlayerPause } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { copyText } from '../accounts/copy-text.ts'
import { type FeedAddress, feedAddressQuery, renewFeedAddress } from './queries.ts'

const texts = feedTexts.dialog

type Props = { viewerId: string; creator: { profileId: string; name: string }; onClose: () => void }

/** The address of the viewer's private feed of a creator (RSS-02). */
export default function PrivateFeedDialog({ viewerId, creator, onClose }: Props) {
  const address = useQuery(feedAddressQuery(viewerId, creator.profileId))
  const [asking, setAsking] = useState(false)
  const renew = useRenew(viewerId, creator.profileId, () => setAsking(false))
  return (
    <Dialog title={texts.title(creator.name)} onClose={onClose}>
      <Text>{texts.purpose}</Text>
      {address.data ? (
        <Address address={address.data} onRenew={() => setAsking(true)} />
      ) : address.isError ? (
        <LoadFailed title={texts.loadFailed} of={address} />
      ) : (
        <Skeleton height={110} mt="md" />
      )}
      <Text size="sm" c="dimmed" mt="md">
        {texts.personal}
      </Text>
      {asking && (
        <ConfirmDialog
          title={feedTexts.renewDialog.title}
          message={feedTexts.renewDialog.message}
          confirmLabel={feedTexts.renewDialog.confirm}
          pending={renew.isPending}
          onConfirm={() => renew.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}

function Address({ address: { token, is_paused }, onRenew }: { address: FeedAddress; onRenew: () => void }) {
  const url = window.location.origin + privateFeedPath(token)
  return (
    <>
      {is_paused && (
        <Alert mt="md" color="gray" icon={<IconPlayerPause size={18} stroke={1.6} />}>
          {texts.paused}
        </Alert>
      )}
      <TextInput
        label={texts.address}
        value={url}
        readOnly
        dir="ltr"
        mt="md"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant={is_paused ? 'filled' : 'default'} onClick={onRenew}>
          {texts.renew}
        </Button>
        {!is_paused && <Button onClick={() => void copyText(url, texts.copied)}>{texts.copy}</Button>}
      </Group>
    </>
  )
}

function useRenew(viewerId: string, creatorId: string, onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => renewFeedAddress(creatorId),
    onSuccess: (address) => {
      queryClient.setQueryData(feedAddressQuery(viewerId, creatorId).queryKey, address)
      toast.success(feedTexts.renewed)
    },
    onError: () => toast.error(feedTexts.renewFailed),
    onSettled: onDone,
  })
}
