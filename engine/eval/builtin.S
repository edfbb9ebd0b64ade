// The network file linked into the program, and its size in bytes: see network.h.
#ifdef __ELF__
    .section .rodata
#else
    .section .rdata, "dr"
#endif
    .balign 8
    .global nutcracker_network_size
nutcracker_network_size:
    .quad nutcracker_network_end - nutcracker_network
    .global nutcracker_network
nutcracker_network:
    .incbin NETWORK_FILE
nutcracker_network_end:
#ifdef __ELF__
    .type nutcracker_network_size, @object
    .size nutcracker_network_size, 8
    .type nutcracker_network, @object
    .size nutcracker_network, . - nutcracker_network
    .section .note.GNU-stack, "", @progbits
#endif
