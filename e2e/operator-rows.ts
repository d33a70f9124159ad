import { type ApiUser, apply, open, signIn, signUp } from './clients.ts'
import { demoPassword } from './people.ts'

/** The longest texts that the product accepts: screens have to fit them. */
const longName = 'Maximiliane Wilhelmina Freifrau von Hohenzollern-Oberleitner'
/** Right-to-left text, with emoji that are two code units each. */
const arabicName = 'مريم عبد الرحمن الخطيب 🎭📸'
/** A word of fifty characters, which can't wrap. */
const unbrokenName = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebs'
const longWord = `https://example.com/${'a-very-long-address-without-a-space'.repeat(3)}`

/**
 * Fills the admin screens through the APIs, as on a busy day: applications, support requests, reports, a poll, suspensions.
 * @param mark makes the usernames unique.
 */
export async function fillOperatorScreens(mark: string): Promise<void> {
  const admin = await signIn('robin@ovation.example', demoPassword)
  const [rude, applicant, reader, refused] = await Promise.all([
    signUp(`rudi_rude_${mark}`, 'Rudi Rude'),
    signUp(`maximiliane_wilhelmina_${mark}`, longName),
    signUp(`operators_reader_${mark}`, unbrokenName),
    signUp(`operators_refused_${mark}`, arabicName),
  ])
  await Promise.all([apply(applicant, longName), apply(refused, arabicName)])
  await admin.client
    .from('creator_applications')
    .update({
      status: 'rejected',
      rejection_reason: `The back of the card is blurred; the number cannot be read. ${longWord}`,
    })
    .eq('user_id', refused.userId)
    .throwOnError()
  await contactSupport(reader)
  await createReports({ admin, rude, reader })
  await createPoll({ admin, voters: [rude, applicant, reader] })
  await admin.client
    .rpc('suspend_user', { profile_id: refused.profileId, reason: 'Sent the same advertisement to forty people.' })
    .throwOnError()
}

async function contactSupport({ client, userId }: ApiUser) {
  await open()
    .from('support_requests')
    .insert({ name: 'Visitor', email: 'visitor@example.com', subject: 'How do I join?', message: 'I see no button.' })
    .throwOnError()
  await client
    .from('support_requests')
    .insert({
      user_id: userId,
      name: longName,
      email: 'maximiliane.wilhelmina.freifrau@hohenzollern-oberleitner.example.com',
      subject:
        'My card was charged twice for the same month, and the receipt of the second charge names a plan that I never had',
      category: 'Billing',
      priority: 'urgent',
      message: `On the third I was charged $9.99, and on the fourth again.\n\nThe receipt: ${longWord}\n\n${'Please look into it. '.repeat(20)}`,
    })
    .throwOnError()
}

type Participants = { readonly admin: ApiUser; readonly rude: ApiUser; readonly reader: ApiUser }

async function createReports({ admin, rude, reader }: Participants) {
  const report = (target_type: string, target_id: string, reason: string, details?: string) =>
    reader.client
      .from('reports')
      .insert({ reporter_id: reader.profileId, target_type, target_id, reason, details })
      .throwOnError()
  const { data: post } = await reader.client
    .from('posts')
    .select('id')
    .eq('post_type', 'free')
    .limit(1)
    .single()
    .throwOnError()
  const { data: message } = await rude.client
    .from('messages')
    .insert({
      sender_id: rude.profileId,
      recipient_id: reader.profileId,
      content: `Give me your card number or else.\n\nYou have until tonight.\n${'Really. '.repeat(60)}`,
    })
    .select('id')
    .single()
    .throwOnError()
  const { data: comment } = await rude.client
    .from('comments')
    .insert({ post_id: post.id, user_id: rude.profileId, content: `Buy here: ${longWord}` })
    .select('id')
    .single()
    .throwOnError()
  await report('comment', comment.id, 'spam')
  await admin.client
    .rpc('take_down', { target_type: 'comment', target_id: comment.id, reason: `Advertising. ${longWord}` })
    .throwOnError()
  await report('post', post.id, 'copyright', 'The picture is mine: it was on my page a year before.')
  await report('message', message.id, 'harassment', 'He writes like this every evening.')
  await report('profile', rude.profileId, 'impersonation')
  await report('profile', admin.profileId, 'other', 'Too friendly.')
  await admin.client.from('reports').update({ status: 'dismissed' }).eq('target_id', admin.profileId).throwOnError()
}

async function createPoll({ admin, voters }: { readonly admin: ApiUser; readonly voters: readonly ApiUser[] }) {
  const { data: poll } = await admin.client
    .from('polls')
    .insert({
      title:
        'Which of these would make the biggest difference to how you read, watch and listen here in the coming year?',
      description: 'One answer each. The bell shows the result.',
      options: JSON.stringify([
        'Offline reading on the train',
        'Captions under every video, in as many languages as can be had',
        'Nothing',
      ]),
    })
    .select('id')
    .single()
    .throwOnError()
  for (const [index, { client, profileId }] of voters.entries())
    await client
      .from('poll_votes')
      .insert({ poll_id: poll.id, user_id: profileId, option_index: index === 2 ? 1 : 0 })
      .throwOnError()
}
