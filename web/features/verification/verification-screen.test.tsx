import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

const image = (name: string) => new File(['pixels'], name, { type: 'image/png' })
const application = {
  id: 'application-1',
  status: 'pending',
  rejection_reason: null,
  submitted_at: '2024-05-01T10:00:00Z',
  reviewed_at: null,
}

const chooseCountry = async (code = 'US') =>
  userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Country' }), code)

async function fillIn() {
  await chooseCountry()
  await userEvent.type(await screen.findByLabelText('Full name'), 'Ada Lovelace')
  await userEvent.type(screen.getByLabelText('Address'), '12 St James Square, London')
  await userEvent.type(screen.getByLabelText('Social Security number'), '123456789')
  await userEvent.upload(screen.getByLabelText('ID front'), image('front.png'))
  await userEvent.upload(screen.getByLabelText('ID back'), image('back.png'))
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Submit application' }))

/** Takes every upload; keeps their paths. */
function acceptUploads() {
  const paths: string[] = []
  network.use(
    http.post('*/storage/v1/object/verification/*', ({ request }) => {
      paths.push(decodeURIComponent(new URL(request.url).pathname.split('/object/verification/')[1] ?? ''))
      return HttpResponse.json({ Key: 'stored' })
    }),
  )
  return paths
}

describe('the form', () => {
  it('sends both images and the application, then shows it as pending [VER-01, VER-04, VER-05, VER-12, VER-14, API-STO-05, API-REST-31]', async () => {
    const viewer = signIn()
    const paths = acceptUploads()
    const sent: Record<string, string>[] = []
    network.use(
      http.get('*/rest/v1/creator_applications', () => HttpResponse.json(sent.length ? [application] : [])),
      http.post('*/rest/v1/creator_applications', async ({ request }) => {
        sent.push((await request.json()) as Record<string, string>)
        return new HttpResponse(null, { status: 201 })
      }),
    )
    renderRoute('/creator-verification')
    await fillIn()
    expect(screen.getByRole('img', { name: 'Preview of ID front' })).toBeInTheDocument()
    await submit()

    const submitted = await screen.findByText('Application Submitted')
    expect(submitted.closest('[role=status]')).toHaveTextContent("We'll notify you within 24 hours.")
    expect(await screen.findByText('Your application is under review')).toBeVisible()
    expect(screen.getAllByText("We'll notify you within 24 hours.")).not.toHaveLength(0)
    expect(paths).toEqual([
      expect.stringMatching(new RegExp(`^${viewer.user_id}/id_front_\\d+\\.png$`)),
      expect.stringMatching(new RegExp(`^${viewer.user_id}/id_back_\\d+\\.png$`)),
    ])
    expect(sent).toEqual([
      {
        user_id: viewer.user_id,
        country: 'US',
        full_name: 'Ada Lovelace',
        address: '12 St James Square, London',
        full_ssn: '123-45-6789',
        id_front_url: paths[0],
        id_back_url: paths[1],
      },
    ])
  })

  it('requires all five, says so, and puts the focus on the first one [VER-06]', async () => {
    signIn()
    network.use(answer('creator_applications', []))
    renderRoute('/creator-verification')
    await chooseCountry()
    await submit()
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Incomplete Information: Please fill in all fields and upload both ID documents.',
    )
    expect(screen.getByLabelText('Full name')).toHaveFocus()
    expect(screen.getByLabelText('Social Security number')).toHaveAccessibleDescription(/Enter your Social Security/)
    expect(screen.getByLabelText('ID back')).toHaveAccessibleDescription('Add an image of this side')
  })

  it('explains what it needs, why, how long it takes, and who reads it, and asks for the country first [LOOP-08]', async () => {
    signIn()
    network.use(answer('creator_applications', []))
    renderRoute('/creator-verification')
    expect(await screen.findByRole('heading', { name: 'Before you start' })).toBeVisible()
    for (const title of ['What you need', 'Why we ask', 'How long it takes', 'Who can read it'])
      expect(screen.getByText(title)).toBeVisible()
    expect(screen.getByText(/Only this site's admins, who review your application/)).toBeVisible()
    expect(screen.queryByLabelText('Full name')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Submit application' })).not.toBeInTheDocument()
    await chooseCountry('PT')
    expect(screen.getByLabelText('Full name')).toBeVisible()
    expect(screen.queryByLabelText('Social Security number')).not.toBeInTheDocument()
    await chooseCountry('US')
    expect(screen.getByLabelText('Social Security number')).toHaveAccessibleDescription(
      /Only this site's admins can reveal it, and every access is logged/,
    )
  })

  it('sends no number from another country, even one that was typed before [LOOP-08]', async () => {
    signIn()
    acceptUploads()
    const sent: Record<string, string>[] = []
    network.use(
      http.get('*/rest/v1/creator_applications', () => HttpResponse.json(sent.length ? [application] : [])),
      http.post('*/rest/v1/creator_applications', async ({ request }) => {
        sent.push((await request.json()) as Record<string, string>)
        return new HttpResponse(null, { status: 201 })
      }),
    )
    renderRoute('/creator-verification')
    await fillIn()
    await chooseCountry('PT')
    await submit()
    expect(await screen.findByText('Your application is under review')).toBeVisible()
    expect(sent).toMatchObject([{ country: 'PT', full_name: 'Ada Lovelace' }])
    expect(sent[0]).not.toHaveProperty('full_ssn')
  })

  it('leads a waiting creator to the page, payouts, plans, and a draft [LOOP-08]', async () => {
    signIn({ is_creator: true })
    network.use(answer('creator_applications', [application]))
    renderRoute('/creator-verification')
    const waiting = within(await screen.findByRole('region', { name: 'While you wait' }))
    for (const [name, path] of [
      ['Build your page', '/profile'],
      ['Set up payouts', '/creator-onboarding'],
      ['Prepare plans', '/subscription-products'],
    ] as const)
      expect(waiting.getByRole('link', { name })).toHaveAttribute('href', path)
    await userEvent.click(waiting.getByRole('button', { name: 'Write a draft' }))
    expect(await screen.findByRole('button', { name: 'Save draft' })).toBeVisible()
  })

  it('masks the number, takes digits only and sets the dashes, up to 11 characters [VER-07]', async () => {
    signIn()
    network.use(answer('creator_applications', []))
    renderRoute('/creator-verification')
    await chooseCountry()
    const field = await screen.findByLabelText('Social Security number')
    expect(field).toHaveAttribute('type', 'password')
    expect(field).toHaveAttribute('maxlength', '11')
    await userEvent.type(field, '12a3-4567x8901')
    expect(field).toHaveValue('123-45-6789')
    await userEvent.click(screen.getByRole('button', { name: 'Show number' }))
    expect(field).toHaveAttribute('type', 'text')
  })

  it('refuses a file that is no image, and one that is too large [VER-08]', async () => {
    signIn()
    network.use(answer('creator_applications', []))
    renderRoute('/creator-verification')
    await chooseCountry()
    const front = await screen.findByLabelText('ID front')
    expect(front).toHaveAttribute('accept', 'image/jpeg,image/png,image/webp,image/gif,image/avif')
    const upload = userEvent.setup({ applyAccept: false })
    await upload.upload(front, new File(['%PDF'], 'id.pdf', { type: 'application/pdf' }))
    expect(await screen.findByText(/We can't read this image/)).toBeVisible()
    const large = image('large.png')
    Object.defineProperty(large, 'size', { value: 10 * 1024 ** 2 + 1 })
    await upload.upload(screen.getByLabelText('Replace ID front'), large)
    expect(await screen.findByText('Choose an image up to 10 MB')).toBeVisible()
  })

  it.each([
    ['front', 'Failed to upload front ID document', 0],
    ['back', 'Failed to upload back ID document', 1],
  ])(
    'keeps everything when the %s image cannot be uploaded, and sends only what is missing next time [VER-15]',
    async (side, words, uploadedBefore) => {
      signIn()
      const paths = acceptUploads()
      network.use(
        answer('creator_applications', []),
        http.post(
          `*/storage/v1/object/verification/*id_${side}*`,
          () =>
            HttpResponse.json({ statusCode: '500', error: 'internal', message: 'The disk is full' }, { status: 500 }),
          { once: true },
        ),
      )
      renderRoute('/creator-verification')
      await fillIn()
      await submit()
      const alert = await screen.findByRole('alert')
      expect(alert).toHaveTextContent(words)
      expect(alert).toHaveTextContent('The disk is full')
      expect(paths).toHaveLength(uploadedBefore)
      expect(screen.getByLabelText('Full name')).toHaveValue('Ada Lovelace')
      expect(screen.getByLabelText('Social Security number')).toHaveValue('123-45-6789')
      await submit()
      await waitFor(() => expect(paths).toHaveLength(2))
    },
  )

  it('says which step of the application failed [VER-15]', async () => {
    signIn()
    const down = () => HttpResponse.json({ statusCode: '500', error: 'internal', message: 'Down' }, { status: 500 })
    let failing = ''
    network.use(
      http.post('*/rest/v1/creator_applications', down),
      answer('creator_applications', []),
      http.post('*/storage/v1/object/verification/*', ({ request }) =>
        request.url.includes(`id_${failing}`) ? down() : HttpResponse.json({ Key: 'stored' }),
      ),
    )
    renderRoute('/creator-verification')
    await fillIn()
    for (const [side, words] of [
      ['front', 'Failed to upload front ID document'],
      ['back', 'Failed to upload back ID document'],
      ['neither', 'Failed to submit application. Please try again.'],
    ] as const) {
      failing = side
      await submit()
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(words))
    }
  })

  it('keeps everything when the application is refused [VER-15]', async () => {
    signIn()
    acceptUploads()
    network.use(
      http.post('*/rest/v1/creator_applications', () =>
        HttpResponse.json({ code: 'PT503', message: 'Encryption is not set up on this server' }, { status: 503 }),
      ),
      http.get('*/rest/v1/creator_applications', () => HttpResponse.json([])),
    )
    renderRoute('/creator-verification')
    await fillIn()
    await submit()
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to submit application. Please try again.')
    expect(alert).toHaveTextContent('Encryption is not set up on this server')
    expect(screen.getByLabelText('Address')).toHaveValue('12 St James Square, London')
    expect(screen.getByRole('img', { name: 'Preview of ID back' })).toBeInTheDocument()
  })

  it('shows no torn picture of a file that is none, and shows the next one [VER-05]', async () => {
    signIn()
    network.use(http.get('*/rest/v1/creator_applications', () => HttpResponse.json([])))
    renderRoute('/creator-verification')
    await chooseCountry()
    const front = { name: 'Preview of ID front' }
    await userEvent.upload(await screen.findByLabelText('ID front'), image('front.png'))
    fireEvent.error(screen.getByRole('img', front))
    expect(screen.queryByRole('img', front)).not.toBeInTheDocument()
    expect(screen.getAllByText('Choose an image')).toHaveLength(2)
    const make = vi.spyOn(URL, 'createObjectURL').mockReturnValueOnce('blob:another-file')
    await userEvent.upload(screen.getByLabelText(/ID front/), image('front.png'))
    expect(screen.getByRole('img', front)).toHaveAttribute('src', 'blob:another-file')
    make.mockRestore()
  })
})

describe('the status', () => {
  it('shows a rejection with its reason, and leads to a new application [VER-11, VER-13]', async () => {
    signIn()
    network.use(
      answer('creator_applications', [
        {
          ...application,
          status: 'rejected',
          rejection_reason: 'The photo is blurred',
          reviewed_at: '2024-05-02T10:00:00Z',
        },
      ]),
    )
    renderRoute('/creator-verification')
    expect(await screen.findByText('The photo is blurred')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Start new application' }))
    await chooseCountry()
    expect(screen.getByRole('button', { name: 'Submit application' })).toBeVisible()
  })

  it('leads an approved creator to payments and to the dashboard [VER-04, VER-11]', async () => {
    signIn({ is_creator: true, is_verified: true })
    network.use(answer('creator_applications', [{ ...application, status: 'approved' }]))
    renderRoute('/creator-verification')
    expect(await screen.findByRole('link', { name: 'Set up payouts' })).toHaveAttribute('href', '/creator-onboarding')
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard')
  })

  it('follows the decision while the screen is open [VER-11, API-RT-02]', async () => {
    const viewer = signIn()
    let status = 'pending'
    network.use(http.get('*/rest/v1/creator_applications', () => HttpResponse.json([{ ...application, status }])))
    renderRoute('/creator-verification')
    await screen.findByText('Your application is under review')
    await waitFor(() => expect(listensTo('notifications')).toHaveLength(1))
    status = 'approved'
    pushInsert('notifications', { user_id: viewer.id, type: 'verification' })
    expect(await screen.findByText("You're a verified creator")).toBeVisible()
  })

  it('offers a retry when it cannot be loaded', async () => {
    signIn()
    network.use(fail('creator_applications'))
    renderRoute('/creator-verification')
    const retry = await screen.findByRole('button', { name: 'Retry' })
    network.use(answer('creator_applications', [application]))
    await userEvent.click(retry)
    expect(await screen.findByText('Your application is under review')).toBeVisible()
  })
})

describe('the way in', () => {
  it('sends a signed-out visitor to sign in and back [VER-02, D35]', async () => {
    const { router } = renderRoute('/creator-verification')
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
    expect(router.state.location.search).toBe('?next=%2Fcreator-verification')
  })

  it('sends an admin to the dashboard [VER-03]', async () => {
    signIn({ role: 'admin' })
    // It asks as soon as it is open, which may be before the test ends.
    for (const table of ['subscriptions', 'transactions', 'posts']) network.use(answer(table, []))
    for (const figures of ['rpc/get_creator_stats', 'rpc/get_creator_growth']) network.use(fail(figures))
    const { router } = renderRoute('/creator-verification')
    expect(await screen.findByRole('heading', { name: 'Creator dashboard' })).toBeVisible()
    expect(router.state.location.pathname).toBe('/dashboard')
  })
})
