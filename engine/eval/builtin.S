// The network file linked into the program: see network.h.
#ifdef __ELF__
    .section .rodata
#else
    .section .rdata, "dr"
#endif
    .balign 64
    .global nutcracker_network
nutcracker_network:
    .incbin NETWORK_FILE
#ifdef __ELF__
    .type nutcracker_network, @object
    .size nutcracker_network, . - nutcracker_network
    .section .note.GNU-stack, "", @progbits
#endif
