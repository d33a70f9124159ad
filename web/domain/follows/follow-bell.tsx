import { ActionIcon, Menu } from '@mantine/core'
import { followsTexts } from '@ovation/contract/texts/follows'
import { IconBell, IconBellOff, IconBellRinging } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { notificationsKey } from '../notifications/unread.ts'
import { type AlertLevel, alertLevels, postAlertsKey, postAlertsQuery } from './post-alerts.ts'

const icons = { all: IconBellRinging, paid: IconBell, none: IconBellOff }
const texts = followsTexts.bell

type Props = { viewerId: string; creatorId: string; name: string }

/** Chooses which new posts of a creator the viewer hears of. Only for their followers and subscribers (LOOP-02). */
export default function FollowBell({ viewerId, creatorId, name }: Props) {
  const { data: level } = useQuery(postAlertsQuery(viewerId, creatorId))
  const choose = useChooseLevel(viewerId, creatorId)
  if (!level) return null
  const Bell = icons[level]
  return (
    <Menu position="bottom-end" shadow="md" radius="lg">
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="2.25rem"
          radius="md"
          aria-label={`${texts.label(name)}: ${texts.levels[level]}`}
          title={texts.label(name)}
        >
          <Bell size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={level} onChange={(chosen) => choose.mutate(chosen as AlertLevel)}>
          {alertLevels.map((each) => (
            <Menu.RadioItem key={each} value={each} closeMenuOnClick>
              {texts.levels[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

function useChooseLevel(viewerId: string, creatorId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = postAlertsQuery(viewerId, creatorId)
  return useMutation({
    mutationFn: async (level: AlertLevel) => {
      await supabase.rpc('set_post_alerts', { creator_profile_id: creatorId, alert_level: level }).throwOnError()
    },
    onMutate: async (level) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, level)
      return before
    },
    onError: (_error, _level, before) => {
      queryClient.setQueryData(queryKey, before)
      toast.error(texts.failed)
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: postAlertsKey })
      void queryClient.invalidateQueries({ queryKey: notificationsKey })
    },
  })
}
