import { describeKills } from './kills.ts'

describeKills('api')
