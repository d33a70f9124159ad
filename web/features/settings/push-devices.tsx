import { Button } from '@mantine/core'
import { nameDevice } from '@ovation/contract/device-name'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import {
  listPushDevices,
  type PushDevice,
  type PushState,
  readPushState,
  turnPushOff,
  turnPushOn,
} from '../../lib/browser/push.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { announce, toast } from '../../ui/toast.ts'
import classes from './settings.module.css'

const texts = settingsTexts.notifications.device

const devicesQuery = {
  queryKey: ['push-devices'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const devices = await listPushDevices(signal)
    return { devices, state: await readPushState(devices) }
  },
}

const stateTexts: Record<PushState, string> = {
  on: texts.on,
  off: texts.off,
  denied: texts.denied,
  unsupported: texts.unsupported,
}

/** This browser, and the user's other ones (SET-16). If they can't be read, none show; the switch above works without them. */
export function PushDevices() {
  const queryClient = useQueryClient()
  const push = useQuery(devicesQuery)
  const settled = () => queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey })
  const onError = (error: Error) => toast.error(errorMessageOf(error), texts.failed)
  const turnOn = useMutation({
    mutationFn: turnPushOn,
    onSuccess: (granted) => granted && announce(texts.turnedOn),
    onError,
    onSettled: settled,
  })
  const turnOff = useMutation({
    mutationFn: turnPushOff,
    onSuccess: () => announce(texts.turnedOff),
    onError,
    onSettled: settled,
  })

  if (!push.data) return null
  const { state, devices } = push.data
  return (
    <div>
      <h3 className={classes.subtitle}>{texts.title}</h3>
      <div className={classes.row}>
        <p className={classes.rowDetail}>{stateTexts[state]}</p>
        {state === 'off' && (
          <Button variant="default" onClick={() => turnOn.mutate()} loading={turnOn.isPending}>
            {texts.turnOn}
          </Button>
        )}
      </div>
      {devices.length > 0 && (
        <>
          <h3 className={classes.subtitle}>{texts.others}</h3>
          <ul className={classes.rows}>
            {devices.map((device) => (
              <Device
                key={device.id}
                device={device}
                removing={turnOff.isPending && turnOff.variables.id === device.id}
                onRemove={() => turnOff.mutate(device)}
              />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Device({ device, removing, onRemove }: { device: PushDevice; removing: boolean; onRemove: () => void }) {
  const name = nameDevice(device.user_agent)
  return (
    <li className={classes.row}>
      <div className={classes.rowWords}>
        <div className={classes.rowTitle}>{name}</div>
        <p className={classes.rowDetail}>{settingsTexts.keys.added(formatDate(device.created_at))}</p>
      </div>
      <Button variant="subtle" color="gray" onClick={onRemove} loading={removing} aria-label={texts.remove(name)}>
        {texts.turnOff}
      </Button>
    </li>
  )
}
