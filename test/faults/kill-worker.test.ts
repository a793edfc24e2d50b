import { describeKills } from './kills.ts'

describeKills('worker')
